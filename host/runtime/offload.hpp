// Slow, pure work of a protocol on the pool: an assignor's run or the protocol's own `work` slot.
//
// The shard builds the input and starts the job; the worker fills outcome and result and hands the
// job back; the shard reads them in its own turn. Nothing is shared in between.
#pragma once

#include <atomic>
#include <functional>
#include <memory>

#include <muster/abi/group_protocol.h>
#include "runtime/assignor_input.hpp"
#include "runtime/assignor_set.hpp"
#include "runtime/ports.hpp"
#include "runtime/protocol_set.hpp"

namespace muster::host {

// What task_input gave: bytes or an assignor's view.
class TaskInput {
 public:
  TaskInput();
  TaskInput(const TaskInput&) = delete;
  TaskInput& operator=(const TaskInput&) = delete;

  const muster_input_sink* sink() const { return &sink_; }
  Buffer& bytes() { return bytes_; }
  std::unique_ptr<AssignorInput>& partitions() { return partitions_; }

 private:
  muster_input_sink sink_{};
  Buffer bytes_;
  std::unique_ptr<AssignorInput> partitions_;
};

class OffloadJob : public Job, public std::enable_shared_from_this<OffloadJob> {
 public:
  using Done = std::function<void(std::shared_ptr<OffloadJob>)>;

  // Set by the shard before the start.
  std::uint64_t life = 0;
  std::uint64_t id = 0;
  std::uint32_t plugin = 0;
  std::string key;
  std::uint64_t epoch = 0;
  std::string kind;
  std::int64_t deadline_ms = 0;
  const Protocol* protocol = nullptr;
  Assignor* assignor = nullptr;  // NULL: the protocol's own work
  TaskInput input;
  Done done;

  void run() override;
  // What takes its place when it is written off: the same work, failed for being late.
  std::shared_ptr<OffloadJob> stand_in() const;
  // [worker] Before it runs.
  void take() { started_.store(true, std::memory_order_relaxed); }
  // [any] A worker has taken it: what becomes of it is the work's own doing.
  bool started() const { return started_.load(std::memory_order_relaxed); }

  // The worker's.
  muster_code outcome = MUSTER_INTERNAL;
  std::string why;
  muster_bytes result() const;

 private:
  void run_work();
  void run_assignor();

  std::atomic<bool> started_{false};
  Buffer bytes_;
  std::vector<std::uint32_t> owner_;
  muster_partition_assignment assignment_{};
};

}  // namespace muster::host
