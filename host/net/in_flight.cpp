#include "net/in_flight.hpp"

namespace muster::host {

void InFlight::remove(std::uint64_t bytes) {
  bytes_.fetch_sub(bytes);
  if (!anyone_waits_.load() || !has_room()) return;
  std::vector<std::function<void()>> resumed;
  {
    const std::lock_guard lock(mutex_);
    resumed.swap(waiting_);
    anyone_waits_ = false;
  }
  for (const auto& resume : resumed) resume();
}

void InFlight::when_room(std::function<void()> resume) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(resume);
    anyone_waits_ = true;
  }
  // What was removed between the caller's look and now must not be missed.
  remove(0);
}

}  // namespace muster::host
