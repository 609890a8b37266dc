// A classic group that becomes a consumer group. [shard]
#include "upgrade.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_value.hpp>
#include <muster/protocol/records/group_metadata_key.hpp>
#include <muster/protocol/records/group_metadata_value.hpp>
#include <muster/sdk/text.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "claims.hpp"
#include "embedded_protocol.hpp"
#include "metadata_hash.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;
using protocol::GroupMetadataKey;
using ClassicMember = protocol::GroupMetadataValue::MemberMetadata;
using Details = protocol::ConsumerGroupMemberMetadataValue;

// The classic group as its owner exports it: its record, and what that leaves out of each member.
struct Exported {
  protocol::Buffer group;
  std::map<std::string, protocol::Buffer, std::less<>> members;
};

Exported export_of(std::string_view group_id, const sdk::GroupOwner& owner) {
  const protocol::Buffer group_key = protocol::encode_key(GroupMetadataKey{group_id});
  Exported out;
  owner.export_group(group_id, [&](std::uint64_t, sdk::Bytes key, sdk::Bytes value) {
    const protocol::Buffer copy(value.begin(), value.end());
    if (std::ranges::equal(key, group_key)) {
      out.group = copy;
    } else if (key.size() > group_key.size()) {
      protocol::Reader in(protocol::Bytes(key).subspan(group_key.size()));
      out.members.emplace(in.read_string(false), copy);
    }
  });
  return out;
}

template <class Value>
Value decoded(const protocol::Buffer& bytes) {
  auto value = protocol::decode_value<Value>(bytes);
  if (!value) throw sdk::Failure(MUSTER_CORRUPT, "a classic group was exported in another form");
  return std::move(*value);
}

Refusal cannot(std::string_view group_id, std::string_view why) {
  return {Error::group_id_not_found,
          sdk::text("Cannot upgrade classic group ", group_id, " to consumer group because ", why)};
}

constexpr std::string_view malformed = "the embedded consumer protocol is malformed.";
constexpr std::string_view custom_assignor =
    "an unsupported custom assignor is in use. Please refer to the documentation or switch to a "
    "default assignor before re-attempting the upgrade.";

ClassicMemberMetadata classic_of(const Details& details) {
  ClassicMemberMetadata out;
  const auto& classic = details.classic_member_metadata;
  if (!classic) throw sdk::Failure(MUSTER_CORRUPT, "a classic member was exported without itself");
  out.session_timeout_ms = classic->session_timeout_ms;
  for (const auto& protocol : classic->supported_protocols) {
    out.supported_protocols.push_back(
        {std::string(protocol.name), {protocol.metadata.begin(), protocol.metadata.end()}});
  }
  return out;
}

// The conversion of one group, member by member.
class Upgrade {
 public:
  Upgrade(const Context& context, Group& group, std::int32_t generation)
      : metadata_(context.metadata()), group_(group), generation_(generation) {}

  // Empty: taken over; else why the group cannot be.
  std::string_view add(const ClassicMember& member, const Details& details) {
    ClassicMemberMetadata classic = classic_of(details);
    // Before the first generation no protocol is chosen, and none of them is in the record.
    protocol::Bytes subscribed = member.subscription;
    if (subscribed.empty()) subscribed = classic.first_protocol().metadata;
    const auto subscription = read_subscription(subscribed);
    if (!subscription) return malformed;
    Partitions assigned;
    if (const auto why = read_assigned(member.assignment, assigned); !why.empty()) return why;

    MemberMetadata metadata;
    if (member.group_instance_id) metadata.instance_id = std::string(*member.group_instance_id);
    if (subscription->rack_id && !subscription->rack_id->empty()) {
      metadata.rack_id = std::string(*subscription->rack_id);
    }
    metadata.client_id = member.client_id;
    metadata.client_host = member.client_host;
    metadata.rebalance_timeout_ms = member.rebalance_timeout;
    metadata.classic = std::move(classic);
    group_.put_metadata(member.member_id, std::move(metadata), subscription->topics);

    for (const TopicPartition& at : assigned) {
      if (!targeted_.insert(at).second) return "two members have the same partition assigned.";
    }
    group_.put_target(member.member_id, assigned);
    member_ids_.push_back(member.member_id);
    claimants_.push_back(
        {std::move(assigned), owned_by(*subscription), subscription->generation_id});
    return {};
  }

  void finish() {
    const auto holders = holders_of(claimants_, generation_);
    std::vector<CurrentAssignment> currents(claimants_.size());
    for (const auto& [at, holder] : holders) {
      currents[holder].assigned.push_back({at.topic, at.partition, generation_});
    }
    for (std::size_t i = 0; i < currents.size(); ++i) {
      currents[i].epoch = currents[i].previous_epoch = generation_;
      static_cast<void>(group_.put_current(member_ids_[i], std::move(currents[i])));
    }
    group_.epoch = group_.assignment_epoch = generation_;
    const auto topics = group_.subscribed_topics().after({});
    const std::uint64_t hash = metadata_hash(topics, metadata_);
    group_.metadata_hash = is_settled(holders, partitions_of(topics)) ? hash : ~hash;
  }

 private:
  // A member that has never synced has none.
  std::string_view read_assigned(protocol::Bytes bytes, Partitions& assigned) {
    if (bytes.empty()) return {};
    const auto assignment = read_assignment(bytes);
    if (!assignment) return malformed;
    if (assignment->user_data && !assignment->user_data->empty()) return custom_assignor;
    assigned = to_partitions(assignment->assigned_partitions, metadata_);
    is_outdated_ =
        is_outdated_ || std::ranges::any_of(assignment->assigned_partitions, [&](const auto& of) {
          return !metadata_.by_name(of.topic);
        });
    return std::ranges::all_of(assigned, is_legal, &TopicPartition::partition) ? "" : malformed;
  }

  template <class Names>
  std::size_t partitions_of(const Names& topics) const {
    std::size_t count = 0;
    for (const std::string_view name : topics) {
      if (const auto topic = metadata_.by_name(name)) count += topic->partition_count();
    }
    return count;
  }

  // What topics do not have is owned by nobody.
  Partitions owned_by(const protocol::ConsumerProtocolSubscription& subscription) const {
    Partitions owned = to_partitions(subscription.owned_partitions, metadata_);
    std::erase_if(owned, [&](const TopicPartition& at) {
      const auto topic = metadata_.by_id(at.topic.as<sdk::Uuid>());
      return at.partition < 0 ||
             static_cast<std::uint32_t>(at.partition) >= topic->partition_count();
    });
    return owned;
  }

  // Otherwise a rebalance was under way or due, and what it would have assigned is assigned with
  // the next heartbeat, as if the topics had changed: by itself a member that only takes another's
  // place changes no epoch.
  bool is_settled(const std::map<TopicPartition, std::size_t>& holders, std::size_t all) const {
    if (is_outdated_ || targeted_.size() != all || holders.size() != all) return false;
    for (std::size_t i = 0; i < claimants_.size(); ++i) {
      for (const TopicPartition& at : claimants_[i].assigned) {
        if (holders.at(at) != i) return false;
      }
    }
    return true;
  }

  sdk::Metadata metadata_;
  Group& group_;
  std::int32_t generation_;
  std::vector<std::string_view> member_ids_;
  std::vector<Claimant> claimants_;
  std::set<TopicPartition> targeted_;
  bool is_outdated_ = false;  // somebody has partitions of a topic that is gone
};

}  // namespace

std::expected<std::unique_ptr<Upgraded>, Refusal> upgrade(const Context& context,
                                                          std::string_view group_id,
                                                          const sdk::GroupOwner& owner,
                                                          const sdk::Listed& listed) {
  const auto refused = [&](std::string_view why) {
    context.host.info("group ", group_id, " stays a classic group: ", why);
    return std::unexpected(cannot(group_id, why));
  };
  if (!context.settings.upgrade_allowed()) return refused("online upgrade is disabled.");
  if (listed.protocol_type != consumer_protocol_type) {
    return refused("the group does not use the consumer embedded protocol.");
  }
  const Exported exported = export_of(group_id, owner);
  const auto value = decoded<protocol::GroupMetadataValue>(exported.group);
  if (static_cast<std::int64_t>(value.members.size()) > context.settings.max_size()) {
    return refused("the group size exceeds the consumer group maximum size.");
  }
  auto upgraded = std::make_unique<Upgraded>(group_id);
  Upgrade conversion(context, upgraded->group, value.generation);
  for (const ClassicMember& member : value.members) {
    const auto details = exported.members.find(member.member_id);
    if (details == exported.members.end()) {
      throw sdk::Failure(MUSTER_CORRUPT, "a classic group was exported without a member's details");
    }
    const std::string_view why = conversion.add(member, decoded<Details>(details->second));
    if (!why.empty()) return refused(why);
  }
  conversion.finish();
  context.host.info("group ", group_id, " becomes a consumer group");
  return upgraded;
}

}  // namespace muster::consumer
