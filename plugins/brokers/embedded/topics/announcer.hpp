// Tells the host what changed about topics: in the order of the changes, one call at a time. Any
// thread; a change made while the host is being told waits for its turn.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <muster/sdk/broker.hpp>

#include "topics/topic_set.hpp"

namespace muster::embedded {

struct TopicNews {
  TopicPtr topic;  // as it is now, or as it was before it was deleted
  sdk::Change what = sdk::Change::created;
};

class Announcer {
 public:
  Announcer(const sdk::Host& host, std::string rack) : host_(host), rack_(std::move(rack)) {}

  // From here on the host is told, of what there is first. Called under the lock of changes; gives
  // the number to wait for.
  std::uint64_t watch(sdk::MetadataEvents events, std::vector<TopicNews> everything);

  // In the order in which changes were made: call it where they are made, under the same lock.
  // Gives the number to wait for.
  std::uint64_t enqueue(std::vector<TopicNews> news);
  // Returns when the host has been told, unless it is the host's own callback that asks.
  void deliver(std::uint64_t number);

 private:
  void drain(std::unique_lock<std::mutex>& lock);
  void tell(const std::vector<TopicNews>& news) const;

  const sdk::Host host_;
  const std::string rack_;
  std::mutex mutex_;
  std::condition_variable told_;
  std::optional<sdk::MetadataEvents> events_;
  std::deque<std::vector<TopicNews>> queue_;
  std::uint64_t enqueued_ = 0;
  std::uint64_t delivered_ = 0;
  std::optional<std::thread::id> teller_;
};

}  // namespace muster::embedded
