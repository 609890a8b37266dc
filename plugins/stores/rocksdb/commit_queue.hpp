// Group commit: what shards commit while one write is under way goes to disk together in the next.
// Owned by the store; `add` from any thread, writing and the answers on a thread of its own.
#pragma once

#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <muster/sdk/store.hpp>

namespace muster::rocks_store {

// Of one shard. All but the prefix is guarded by the queue's lock.
struct CommitState {
  std::string prefix;  // of the shard's keys
  std::uint64_t epoch = 0;
  std::uint64_t next_sequence = 0;
  std::uint32_t under_way = 0;  // batches that are not answered yet
  bool failed = false;          // until the next load
};

struct CommitSettings {
  bool sync = true;
  std::uint64_t max_batch_bytes = 0;
};

class CommitQueue {
 public:
  // `report`: told what went wrong with a write, once a write.
  CommitQueue(rocksdb::DB& database, const CommitSettings& settings,
              std::function<void(const rocksdb::Status&)> report);
  // Writes what was added, answers it, and ends.
  ~CommitQueue();
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;

  void add(CommitState& state, const sdk::Batch& batch, sdk::CommitDone done);
  // A new owner; whoever commits with an older epoch is fenced from now on.
  void start_life(CommitState& state, std::uint64_t epoch);
  // Waits until nothing of the shard is under way; until end_load nothing is taken. The code is
  // MUSTER_FENCED where the life is over, MUSTER_INVALID_ARGUMENT where it never began.
  muster_code begin_load(CommitState& state, std::uint64_t epoch);
  void end_load(CommitState& state, std::uint64_t epoch, std::uint64_t next_sequence);

 private:
  struct Waiter {
    CommitState* state;
    sdk::CommitDone done;
  };
  // What is written at once.
  struct Group {
    rocksdb::WriteBatch batch;
    std::vector<Waiter> waiters;
  };

  muster_code check(CommitState& state, const sdk::Batch& batch) const;
  muster_code append(CommitState& state, const sdk::Batch& batch, sdk::CommitDone& done);
  void run();
  void write(Group& group);
  // Keeps the database's log short.
  void flush_if_due(std::size_t written_bytes);
  void fail(Group& group, const rocksdb::Status& status);
  void answer(Group& group, muster_code code);

  rocksdb::DB& database_;
  rocksdb::WriteOptions options_;
  const std::uint64_t max_batch_bytes_;
  const std::function<void(const rocksdb::Status&)> report_;
  std::mutex mutex_;
  std::condition_variable more_, idle_;
  std::size_t logged_bytes_ = 0;  // since the last flush; the thread's own
  Group filling_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace muster::rocks_store
