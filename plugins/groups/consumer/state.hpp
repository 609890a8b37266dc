// All that one shard remembers, and the only code that changes it. Owner: the shard; [shard]
#pragma once

#include <muster/sdk/group_protocol.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "group.hpp"

namespace muster::consumer {

class State {
 public:
  using Groups = std::map<std::string, std::unique_ptr<Group>, std::less<>>;

  [[nodiscard]] const Groups& groups() const { return groups_; }
  // NULL: not one of ours.
  [[nodiscard]] const Group* find(std::string_view group) const;
  // What a group is before its first record.
  [[nodiscard]] const Group& not_yet() const { return not_yet_; }
  [[nodiscard]] const GroupsByTopic& groups_by_topic() const { return by_topic_; }
  // The group whose heartbeat is parked under this token; NULL: none is.
  [[nodiscard]] const std::string* waiting_at(std::uint64_t token) const;
  [[nodiscard]] std::int64_t new_topics_version() const { return new_topics_version_; }

  // Throws Failure(MUSTER_CORRUPT) for what is not ours or cannot be.
  void replay(const sdk::Replayed& replayed, sdk::Directory& directory);

 private:
  friend class Replay;

  void replay_note(const sdk::Replayed& replayed);

  GroupsByTopic by_topic_;  // before the groups, which leave it when they go
  Groups groups_;
  Group not_yet_{{}, &by_topic_};
  std::map<std::uint64_t, std::string> waiting_;
  std::int64_t new_topics_version_ = 0;
};

}  // namespace muster::consumer
