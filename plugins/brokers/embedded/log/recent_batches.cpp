// See recent_batches.hpp.
#include "log/recent_batches.hpp"

#include <utility>
#include <vector>

namespace muster::embedded {
namespace {

// What keeping a batch takes beside its bytes.
constexpr std::size_t overhead = 128;

}  // namespace

void RecentBatches::added(std::weak_ptr<Holder> holder, std::size_t bytes) {
  std::vector<std::weak_ptr<Holder>> dropping;
  {
    const std::lock_guard lock(mutex_);
    kept_.push_back({std::move(holder), bytes + overhead});
    bytes_ += bytes + overhead;
    while (bytes_ > most_bytes_) {
      bytes_ -= kept_.front().bytes;
      dropping.push_back(std::move(kept_.front().holder));
      kept_.pop_front();
    }
  }
  for (const auto& weak : dropping) {
    if (const auto kept_by = weak.lock()) kept_by->drop_oldest();
  }
}

}  // namespace muster::embedded
