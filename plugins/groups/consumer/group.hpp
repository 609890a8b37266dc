// One consumer group: what its records say, what its notes say, and what follows from them. Owner:
// the shard's state; changed by replay only. [shard]
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "member.hpp"
#include "notes.hpp"
#include "ownership.hpp"
#include "subscriptions.hpp"

namespace muster::consumer {

// A regular expression with the topics it matched when it was last looked at.
struct ResolvedRegex {
  TopicNames topics;
  std::int64_t version = -1;  // of the metadata
  std::int64_t timestamp = -1;

  friend bool operator==(const ResolvedRegex&, const ResolvedRegex&) = default;
};

class Group {
 public:
  using Members = std::map<std::string, Member, std::less<>>;
  using Targets = std::map<std::string, Partitions, std::less<>>;
  using Regexes = std::map<std::string, ResolvedRegex, std::less<>>;
  using Counts = std::map<std::string, std::int32_t, std::less<>>;
  using MemberIds = std::set<std::string, std::less<>>;
  using StaticMembers = std::map<std::string, std::string, std::less<>>;
  using WaitingHeartbeats = std::map<std::uint64_t, WaitingHeartbeat>;

  Group(std::string_view id, GroupsByTopic* index) : id_(id), subscribed_topics_(index, id) {}

  std::int32_t epoch = 1;
  std::uint64_t metadata_hash = 0;
  std::int32_t assignment_epoch = 1;
  std::int64_t assignment_timestamp_ms = 0;  // 0: the next assignment may be made at once
  bool has_partition_metadata = false;       // of an older Kafka; removed with the next bump
  GroupNotes notes;
  WaitingHeartbeats waiting;  // for an assignor

  [[nodiscard]] const Members& members() const { return members_; }
  [[nodiscard]] const Targets& targets() const { return targets_; }
  [[nodiscard]] const Regexes& resolved_regexes() const { return resolved_regexes_; }
  [[nodiscard]] const Ownership& owners() const { return owners_; }
  [[nodiscard]] const SubscribedTopics& subscribed_topics() const { return subscribed_topics_; }
  // Regular expressions, preferred assignors: how many members have each.
  [[nodiscard]] const Counts& subscribed_regexes() const { return subscribed_regexes_; }
  [[nodiscard]] const Counts& server_assignors() const { return server_assignors_; }
  // Members that use the classic protocol, and how many of them support each of its protocols.
  [[nodiscard]] std::size_t classic_members() const { return classic_members_; }
  [[nodiscard]] const Counts& classic_protocols() const { return classic_protocols_; }
  // Classic members that were told to rejoin and have not done so.
  [[nodiscard]] const MemberIds& asked_to_rejoin() const { return asked_to_rejoin_; }

  [[nodiscard]] const Member* find_member(std::string_view id) const;
  [[nodiscard]] const std::string* static_member(std::string_view instance_id) const;
  [[nodiscard]] const Partitions& target_of(std::string_view member_id) const;
  [[nodiscard]] const ResolvedRegex* resolved(std::string_view regex) const;
  [[nodiscard]] std::int32_t subscribers_of(std::string_view regex) const;

  // What only replay calls.
  void put_metadata(std::string_view member_id, MemberMetadata metadata,
                    std::span<const std::string_view> names);
  // False: a partition is held by another member at this epoch or a later one.
  [[nodiscard]] bool put_current(std::string_view member_id, CurrentAssignment current);
  // The member stays, at epoch -1 and with nothing, until its metadata goes too.
  void drop_current(std::string_view member_id);
  void drop_member(std::string_view member_id);
  void put_target(std::string_view member_id, Partitions target);
  void drop_target(std::string_view member_id);
  void put_regex(std::string_view regex, ResolvedRegex resolved);
  void drop_regex(std::string_view regex);
  void put_rejoin(std::string_view member_id, bool asked);

 private:
  Member& member(std::string_view id);
  void count(const MemberMetadata& metadata, std::int32_t delta);
  void forget_instance(const MemberMetadata& metadata, std::string_view member_id);

  // A hasher of our own, because the library scans small tables whose hash it thinks slow.
  struct IdHash {
    std::size_t operator()(std::string_view id) const { return std::hash<std::string_view>{}(id); }
  };

  std::string id_;
  Members members_;                                              // in the order of answers
  std::unordered_map<std::string_view, Member*, IdHash> by_id_;  // what each heartbeat looks up
  Targets targets_;
  Regexes resolved_regexes_;
  StaticMembers static_members_;
  Ownership owners_;
  TopicNamesPool names_;
  SubscribedTopics subscribed_topics_;
  Counts subscribed_regexes_;
  Counts server_assignors_;
  std::size_t classic_members_ = 0;
  Counts classic_protocols_;
  MemberIds asked_to_rejoin_;
};

enum class GroupState { empty, assigning, reconciling, stable };

GroupState state_of(const Group& group);
std::string_view to_text(GroupState state);

}  // namespace muster::consumer
