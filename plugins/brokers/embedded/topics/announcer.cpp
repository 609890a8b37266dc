// See announcer.hpp.
#include "announcer.hpp"

#include <cstring>
#include <exception>
#include <utility>

namespace muster::embedded {
namespace {

muster_uuid to_abi(const protocol::Uuid& id) {
  muster_uuid out;
  std::memcpy(out.bytes, id.bytes.data(), sizeof out.bytes);
  return out;
}

}  // namespace

std::uint64_t Announcer::watch(sdk::MetadataEvents events, std::vector<TopicNews> everything) {
  const std::lock_guard lock(mutex_);
  events_ = events;
  queue_.push_back(std::move(everything));
  return ++enqueued_;
}

std::uint64_t Announcer::enqueue(std::vector<TopicNews> news) {
  const std::lock_guard lock(mutex_);
  if (!events_) {
    delivered_ = ++enqueued_;
    return enqueued_;
  }
  queue_.push_back(std::move(news));
  return ++enqueued_;
}

void Announcer::deliver(std::uint64_t number) {
  std::unique_lock lock(mutex_);
  if (teller_ == std::this_thread::get_id()) return;
  while (delivered_ < number) {
    if (teller_) {
      told_.wait(lock);
    } else {
      drain(lock);
    }
  }
}

void Announcer::drain(std::unique_lock<std::mutex>& lock) {
  teller_ = std::this_thread::get_id();
  while (!queue_.empty()) {
    const std::vector<TopicNews> news = std::move(queue_.front());
    queue_.pop_front();
    lock.unlock();
    try {
      tell(news);
    } catch (const std::exception& fault) {
      // The change itself stands; the host has missed it, and nothing can be undone here.
      host_.error("the host could not be told of a topic change: ", fault.what());
    }
    lock.lock();
    ++delivered_;
  }
  teller_.reset();
  told_.notify_all();
}

void Announcer::tell(const std::vector<TopicNews>& news) const {
  std::vector<muster_topic> topics(news.size());
  std::vector<const muster_topic*> shown(news.size(), nullptr);
  std::vector<muster_topic_change> changes(news.size());
  std::vector<std::vector<std::uint32_t>> rack_offsets(news.size());
  std::vector<std::vector<muster_str>> racks(news.size());
  for (std::size_t i = 0; i < news.size(); ++i) {
    const Topic& topic = *news[i].topic;
    const muster_uuid id = to_abi(topic.id);
    changes[i] = {sdk::to_str(topic.name), id, static_cast<std::int32_t>(news[i].what)};
    if (news[i].what == sdk::Change::deleted) continue;
    // Every replica is here, so every partition is in this broker's rack.
    const auto count = static_cast<std::uint32_t>(topic.partitions.size());
    const std::uint32_t racks_each = rack_.empty() ? 0 : 1;
    for (std::uint32_t p = 0; p <= count; ++p) rack_offsets[i].push_back(p * racks_each);
    racks[i].assign(std::size_t{count} * racks_each, sdk::to_str(rack_));
    muster_topic& out = topics[i];
    out.struct_size = sizeof out;
    out.name = sdk::to_str(topic.name);
    out.id = id;
    out.partition_count = count;
    out.internal = topic.internal ? 1 : 0;
    out.rack_offsets = rack_offsets[i].data();
    out.racks = racks[i].data();
    shown[i] = &out;
  }
  events_->changed(shown, changes);
}

}  // namespace muster::embedded
