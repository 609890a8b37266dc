// Who wants to know when a partition gets more bytes. Each partition has its own list and lock, so
// that busy partitions do not meet here. Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace muster::embedded {

// Somebody who waits for bytes of several partitions; `slot` is its own number for one of them.
class Waiting {
 public:
  virtual ~Waiting() = default;
  // Called under the partition's list lock: counts, and says whether the sum may be enough now.
  virtual bool arrived(std::size_t slot, std::int64_t bytes) = 0;
  // Called without any lock of the partition.
  virtual void attempt() = 0;
};

class Arrivals {
 public:
  void add(std::shared_ptr<Waiting> waiting, std::size_t slot);
  void remove(const Waiting& waiting);
  void announce(std::int64_t bytes);
  // The partition will get no more: all of them look again.
  void announce_end();

 private:
  struct Entry {
    std::shared_ptr<Waiting> waiting;
    std::size_t slot;
  };

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace muster::embedded
