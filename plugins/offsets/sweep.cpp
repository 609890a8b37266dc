#include "sweep.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "records.hpp"

namespace muster::offsets {

namespace {

// Wraps instead of overflowing: times come from records.
std::int64_t elapsed_ms(std::int64_t now_ms, std::int64_t since_ms) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(now_ms) -
                                   static_cast<std::uint64_t>(since_ms));
}

// About what an owner's tombstones for an empty group take, each of which has the id in its key.
constexpr std::size_t removed_group_bytes = 64;

class ExpirySweep {
 public:
  ExpirySweep(const ShardView& view, sdk::Decision& out)
      : view_(view),
        out_(out),
        now_ms_(view.shard.now_ms()),
        retention_ms_(view.protocol.retention_minutes() * 60'000) {}

  bool full() const { return bytes_ >= sweep_step_bytes; }

  void owned(std::string_view group, const sdk::GroupOwner& owner) {
    if (full() || !owner.has_facet()) return;
    const sdk::Expiry expiry = owner.expires(group);
    if (expiry.when == sdk::Expiry::When::never) return;
    const auto keeps = [&](std::string_view topic) {
      return expiry.unsubscribed_only && owner.subscribes(group, topic);
    };
    // An error says that it has members, or no wish to go: it stays.
    if (all_expired(group, expiry, keeps) && owner.remove(group) == 0) {
      bytes_ += removed_group_bytes + 4 * group.size();
    }
  }

  void simple(std::string_view group) {
    if (full()) return;
    sdk::Expiry expiry;
    expiry.when = sdk::Expiry::When::from_commit;
    all_expired(group, expiry, [](std::string_view) { return false; });
  }

 private:
  template <class Keeps>
  bool all_expired(std::string_view group, const sdk::Expiry& expiry, Keeps&& keeps) {
    const TopicOffsets* topics = view_.offsets.find_group(group);
    if (topics == nullptr) return true;
    bool all = true;
    for (const auto& [topic, partitions] : *topics) {
      if (keeps(topic)) {
        all = false;
        continue;
      }
      for (const CommittedOffset& offset : partitions | from_the_back) {
        if (full() || !expired(offset, expiry)) {
          all = false;
        } else {
          bytes_ += emit_tombstone({group, topic, offset.partition}, out_);
        }
      }
    }
    return all;
  }

  bool expired(const CommittedOffset& offset, const sdk::Expiry& expiry) const {
    if (offset.expire_ms != -1) return now_ms_ >= offset.expire_ms;
    const bool from_time = expiry.when == sdk::Expiry::When::from_time;
    return elapsed_ms(now_ms_, from_time ? expiry.from_ms : offset.commit_ms) >= retention_ms_;
  }

  const ShardView& view_;
  sdk::Decision& out_;
  std::int64_t now_ms_;
  std::int64_t retention_ms_;
  std::size_t bytes_ = 0;
};

}  // namespace

bool sweep_expired(const ShardView& view, sdk::Decision& out) {
  ExpirySweep sweep{view, out};
  view.shard.each_group(
      [&](std::string_view group, const sdk::GroupOwner& owner) { sweep.owned(group, owner); });
  for (const auto& [group, topics] : view.offsets.groups()) {
    if (!view.shard.find_group(group)) sweep.simple(group);
  }
  if (sweep.full()) return false;
  for (const std::string& group : view.offsets.emptied) note_emptied(group, false, out);
  return true;
}

bool sweep_deleted_topics(const ShardView& view, const std::set<DeletedTopic>& topics,
                          sdk::Decision& out) {
  std::map<std::string_view, std::vector<protocol::Uuid>> ids;
  for (const DeletedTopic& topic : topics) ids[topic.name].push_back(topic.id);
  const auto gone = [](const CommittedOffset& offset, const std::vector<protocol::Uuid>& of) {
    return offset.topic_id.is_zero() || std::ranges::find(of, offset.topic_id) != of.end();
  };
  std::size_t bytes = 0;
  for (const auto& [group, offsets] : view.offsets.groups()) {
    std::size_t left = 0;
    bool touched = false;
    for (const auto& [topic, partitions] : offsets) {
      const auto deleted = ids.find(topic);
      for (const CommittedOffset& offset : partitions | from_the_back) {
        if (deleted == ids.end() || !gone(offset, deleted->second)) {
          ++left;
          continue;
        }
        if (bytes >= sweep_step_bytes) return false;
        bytes += emit_tombstone({group, topic, offset.partition}, out);
        touched = true;
      }
    }
    if (touched && left == 0 && !view.shard.find_group(group)) note_emptied(group, true, out);
  }
  return true;
}

}  // namespace muster::offsets
