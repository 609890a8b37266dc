// How much of the newest batches logs keep in memory, over all logs: whoever reads the end of a log
// finds them there, and the oldest of all go first. Any thread.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>

namespace muster::embedded {

class RecentBatches {
 public:
  // Somebody who keeps some.
  class Holder {
   public:
    virtual ~Holder() = default;
    virtual void drop_oldest() = 0;
  };

  explicit RecentBatches(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  // Called without the holder's lock, in the order in which it got them.
  void added(std::weak_ptr<Holder> holder, std::size_t bytes);

 private:
  struct Kept {
    std::weak_ptr<Holder> holder;
    std::size_t bytes;
  };

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::deque<Kept> kept_;
  std::size_t bytes_ = 0;
};

}  // namespace muster::embedded
