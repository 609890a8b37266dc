// A member of a consumer group, in the three pieces that its records store: who it is and what it
// wants (5), what it holds (8), and, in the group, what it is meant to hold (7). Owner: the group's
// state. [shard]
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "topic_partitions.hpp"

namespace muster::consumer {

inline constexpr std::int32_t join_epoch = 0;
inline constexpr std::int32_t leave_epoch = -1;
inline constexpr std::int32_t static_leave_epoch = -2;

// Ascending, distinct. Shared by all members of a group that subscribe to the same names.
using TopicNames = std::vector<std::string>;
using SharedTopicNames = std::shared_ptr<const TopicNames>;

// What a classic member brought along. Kept and written back as it is.
struct ClassicMemberMetadata {
  struct Protocol {
    std::string name;
    std::vector<std::uint8_t> metadata;
    friend bool operator==(const Protocol&, const Protocol&) = default;
  };
  std::int32_t session_timeout_ms = 0;
  std::vector<Protocol> supported_protocols;

  // The one the member is told that its group uses.
  [[nodiscard]] const Protocol& first_protocol() const {
    static const Protocol none;
    return supported_protocols.empty() ? none : supported_protocols.front();
  }

  friend bool operator==(const ClassicMemberMetadata&, const ClassicMemberMetadata&) = default;
};

struct MemberMetadata {
  std::optional<std::string> instance_id;
  std::optional<std::string> rack_id;
  std::string client_id;
  std::string client_host;
  SharedTopicNames topic_names;  // NULL: none
  std::optional<std::string> topic_regex = "";
  std::int32_t rebalance_timeout_ms = -1;
  std::optional<std::string> server_assignor;
  std::optional<ClassicMemberMetadata> classic;

  [[nodiscard]] const TopicNames& names() const {
    static const TopicNames none;
    return topic_names ? *topic_names : none;
  }
  // Empty: not subscribed to a regular expression.
  [[nodiscard]] std::string_view regex() const {
    return topic_regex ? std::string_view(*topic_regex) : std::string_view();
  }

  friend bool operator==(const MemberMetadata& a, const MemberMetadata& b) {
    return a.instance_id == b.instance_id && a.rack_id == b.rack_id && a.client_id == b.client_id &&
           a.client_host == b.client_host && a.names() == b.names() &&
           a.topic_regex == b.topic_regex && a.rebalance_timeout_ms == b.rebalance_timeout_ms &&
           a.server_assignor == b.server_assignor && a.classic == b.classic;
  }
};

// As the record has it. Anything else is read as `unknown`: a state of a newer version.
enum class MemberState : std::int8_t {
  stable = 0,
  unrevoked_partitions = 1,
  unreleased_partitions = 2,
  unknown = 127,
};

struct CurrentAssignment {
  std::int32_t epoch = 0;
  std::int32_t previous_epoch = -1;
  MemberState state = MemberState::stable;
  AssignedPartitions assigned;
  AssignedPartitions pending_revocation;

  [[nodiscard]] bool is_reconciled_to(std::int32_t target_epoch) const {
    return state == MemberState::stable && epoch == target_epoch;
  }
  // The member answers for what it has not revoked yet.
  [[nodiscard]] Partitions held() const {
    Partitions out;
    for (const AssignedPartitions* part : {&assigned, &pending_revocation}) {
      for (const AssignedPartition& one : *part) out.push_back(one.place());
    }
    normalise(out);
    return out;
  }
  void move_to_epoch(std::int32_t next) {
    previous_epoch = epoch;
    epoch = next;
  }

  friend bool operator==(const CurrentAssignment&, const CurrentAssignment&) = default;
};

// Clients send timeouts as they like.
constexpr std::uint32_t to_timeout(std::int32_t ms) {
  return ms < 0 ? 0 : static_cast<std::uint32_t>(ms);
}

struct Member {
  MemberMetadata metadata;
  CurrentAssignment current;
  std::string session_key;  // of its timer; made once, since every heartbeat needs it
};

}  // namespace muster::consumer
