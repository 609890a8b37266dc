// See arrivals.hpp.
#include "arrivals.hpp"

#include <utility>

namespace muster::embedded {

void Arrivals::add(std::shared_ptr<Waiting> waiting, std::size_t slot) {
  const std::lock_guard lock(mutex_);
  entries_.push_back({std::move(waiting), slot});
}

void Arrivals::remove(const Waiting& waiting) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& entry) { return entry.waiting.get() == &waiting; });
}

void Arrivals::announce(std::int64_t bytes) {
  std::vector<std::shared_ptr<Waiting>> ready;
  {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) {
      if (entry.waiting->arrived(entry.slot, bytes)) ready.push_back(entry.waiting);
    }
  }
  for (const auto& waiting : ready) waiting->attempt();
}

void Arrivals::announce_end() {
  std::vector<std::shared_ptr<Waiting>> all;
  {
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_) all.push_back(entry.waiting);
  }
  for (const auto& waiting : all) waiting->attempt();
}

}  // namespace muster::embedded
