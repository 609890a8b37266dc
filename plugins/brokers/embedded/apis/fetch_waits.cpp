// See fetch_waits.hpp.
#include "apis/fetch_waits.hpp"

#include <algorithm>
#include <vector>

namespace muster::embedded {

FetchWaits::FetchWaits()
    : sleeps_until_(Deadline::max()), thread_([this] { run(); }), reader_([this] { read_due(); }) {}

FetchWaits::~FetchWaits() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  woken_.notify_one();
  read_.notify_one();
  thread_.join();
  reader_.join();
  for (const auto& fetch : to_read_) fetch->abandon();
  for (Shard& shard : shards_) {
    decltype(shard.parked) left;
    {
      const std::lock_guard lock(shard.mutex);
      left.swap(shard.parked);
    }
    for (const auto& [key, fetch] : left) fetch->abandon();
  }
}

void FetchWaits::park(std::shared_ptr<ParkedFetch> fetch) {
  const Deadline deadline = fetch->deadline();
  {
    Shard& shard = shard_of(fetch->connection());
    const std::lock_guard lock(shard.mutex);
    shard.parked.emplace(std::pair{deadline, fetch.get()}, std::move(fetch));
  }
  // Most waits end later than the one that is slept for: no need to wake anybody. If the thread
  // missed the shard's new entry, it had set sleeps_until_ to the end of time before it looked.
  if (deadline < sleeps_until_.load()) {
    const std::lock_guard lock(mutex_);
    look_again_ = true;
    woken_.notify_one();
  }
}

void FetchWaits::remove(const ParkedFetch& fetch) {
  Shard& shard = shard_of(fetch.connection());
  const std::lock_guard lock(shard.mutex);
  shard.parked.erase({fetch.deadline(), &fetch});
}

void FetchWaits::gone(std::uint64_t connection) {
  std::vector<std::shared_ptr<ParkedFetch>> left;
  {
    Shard& shard = shard_of(connection);
    const std::lock_guard lock(shard.mutex);
    for (const auto& [key, fetch] : shard.parked) {
      if (fetch->connection() == connection) left.push_back(fetch);
    }
    for (const auto& fetch : left) shard.parked.erase({fetch->deadline(), fetch.get()});
  }
  for (const auto& fetch : left) fetch->abandon();
}

void FetchWaits::run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    look_again_ = false;
    sleeps_until_ = Deadline::max();
    lock.unlock();
    const Deadline next = expire_due();
    lock.lock();
    if (stopping_ || look_again_) continue;
    sleeps_until_ = next;
    const auto woken = [this] { return stopping_ || look_again_; };
    if (next == Deadline::max()) {
      woken_.wait(lock, woken);
    } else {
      woken_.wait_until(lock, next, woken);
    }
  }
}

FetchWaits::Deadline FetchWaits::expire_due() {
  const Deadline now = std::chrono::steady_clock::now();
  Deadline next = Deadline::max();
  for (Shard& shard : shards_) {
    std::vector<std::shared_ptr<ParkedFetch>> due;
    {
      const std::lock_guard lock(shard.mutex);
      while (!shard.parked.empty() && shard.parked.begin()->first.first <= now) {
        due.push_back(std::move(shard.parked.begin()->second));
        shard.parked.erase(shard.parked.begin());
      }
      if (!shard.parked.empty()) next = std::min(next, shard.parked.begin()->first.first);
    }
    std::erase_if(due, [](const auto& fetch) { return fetch->expire_empty(); });
    if (due.empty()) continue;
    const std::lock_guard lock(mutex_);
    to_read_.insert(to_read_.end(), due.begin(), due.end());
    read_.notify_one();
  }
  return next;
}

void FetchWaits::read_due() {
  std::unique_lock lock(mutex_);
  for (;;) {
    read_.wait(lock, [this] { return stopping_ || !to_read_.empty(); });
    if (stopping_) return;
    const auto fetch = std::move(to_read_.front());
    to_read_.pop_front();
    lock.unlock();
    fetch->expire();
    lock.lock();
  }
}

}  // namespace muster::embedded
