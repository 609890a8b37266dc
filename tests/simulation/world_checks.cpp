// What must hold: at every step, in every answer, and once it is quiet.
#include "world.hpp"

#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/consumer_group_describe_request.hpp>
#include <muster/protocol/messages/consumer_group_describe_response.hpp>
#include <muster/protocol/messages/consumer_protocol_assignment.hpp>
#include <muster/protocol/messages/describe_groups_request.hpp>
#include <muster/protocol/messages/describe_groups_response.hpp>
#include <muster/protocol/messages/offset_fetch_request.hpp>
#include <muster/protocol/messages/offset_fetch_response.hpp>

#include <re2/re2.h>

#include <algorithm>

namespace muster::simulation {

using Describe = protocol::ConsumerGroupDescribeRequest;
using Described = protocol::ConsumerGroupDescribeResponse;
using DescribeClassic = protocol::DescribeGroupsRequest;
using ClassicDescribed = protocol::DescribeGroupsResponse;
using Fetch = protocol::OffsetFetchRequest;
using Fetched = protocol::OffsetFetchResponse;

void World::check_owners() {
  checked_changes_ = around_.ownership_changes;
  std::map<std::pair<std::string, TopicPartition>, const Member*> owners;
  for (const auto& member : members_) {
    if (member->owned().empty() || !member->is_sure()) continue;
    for (const TopicPartition& one : member->owned()) {
      const auto [found, is_first] = owners.try_emplace({member->spec().group, one}, member.get());
      if (is_first) continue;
      host_.trace.violated(topics_.text({one}) + " is in two hands: " + found->second->spec().id +
                           " and " + member->spec().id);
    }
  }
}

// Whoever serves a shard that is another's would promise what it cannot keep.
void World::check_ownership() {
  for (std::uint32_t shard = 0; shard < host_.store.shards(); ++shard) {
    if (host_.space().shard(shard).active() && !host_.store.owns(shard)) {
      host_.trace.violated("shard " + std::to_string(shard) + " is served but not owned");
    }
  }
}

void World::describe(const std::string& group) {
  Describe message;
  message.group_ids = {group};
  network_.ask(observer_, message, 1, [this](host::Bytes body) { on_described(body); });
}

// The coordinator's own view is held to the same: epochs rise, nothing is held twice.
void World::on_described(host::Bytes body) {
  const auto answer = protocol::decode<Described>(body, 1);
  if (!answer || answer->groups.size() != 1) return host_.trace.violated("describe is unreadable");
  const auto& group = answer->groups.front();
  const std::string id(group.group_id);
  if (static_cast<protocol::Error>(group.error_code) == protocol::Error::group_id_not_found) {
    return describe_classic(id);
  }
  if (group.error_code != 0) return;  // loading or away
  GroupView& view = groups_[id];
  view.is_classic = false;
  if (view.had_classic) view.epoch = view.assignment_epoch = 0;
  if (group.group_epoch < view.epoch || group.assignment_epoch < view.assignment_epoch ||
      group.assignment_epoch > group.group_epoch) {
    host_.trace.violated(id + ": an epoch went back");
  }
  view.state = group.group_state;
  view.epoch = group.group_epoch;
  view.assignment_epoch = group.assignment_epoch;
  view.members.clear();
  Partitions held;
  std::size_t count = 0;
  for (const auto& member : group.members) {
    Partitions its = to_partitions(member.assignment.topic_partitions);
    count += its.size();
    held.insert(its.begin(), its.end());
    view.members[std::string(member.member_id)] = {
        member.member_epoch, std::move(its),
        std::string(member.subscribed_topic_regex.value_or(""))};
  }
  if (held.size() != count) host_.trace.violated(id + ": the coordinator gave a partition twice");
}

void World::describe_classic(const std::string& group) {
  DescribeClassic message;
  message.groups = {group};
  network_.ask(observer_, message, 6, [this](host::Bytes body) { on_classic_described(body); });
}

// Its members' assignments count once all have joined.
void World::on_classic_described(host::Bytes body) {
  const auto answer = protocol::decode<ClassicDescribed>(body, 6);
  if (!answer || answer->groups.size() != 1) return host_.trace.violated("describe is unreadable");
  const auto& group = answer->groups.front();
  if (group.error_code != 0) return;  // loading, away, or not there
  GroupView& view = groups_[std::string(group.group_id)];
  view.is_classic = true;
  view.state = group.group_state;
  view.members.clear();
  for (const auto& member : group.members) {
    Partitions& its = view.members[std::string(member.member_id)].assigned;
    if (member.member_assignment.size() < 2) continue;
    const auto assignment = protocol::decode<protocol::ConsumerProtocolAssignment>(
        member.member_assignment.subspan(2), member.member_assignment[1]);
    if (!assignment) return host_.trace.violated("an assignment is unreadable");
    for (const auto& topic : assignment->assigned_partitions) {
      const auto known = topics_.all().find(std::string(topic.topic));
      if (known == topics_.all().end()) continue;
      for (const std::int32_t one : topic.partitions) its.emplace(known->second.id, one);
    }
  }
}

void World::fetch(const std::string& group) {
  const bool must_succeed = !is_chaos_;
  auto floors = std::make_shared<std::map<OffsetKey, std::uint64_t>>();
  std::map<std::string, std::vector<std::int32_t>> wanted;
  for (const auto& [key, history] : ledger_.all()) {
    if (key.group == group) wanted[key.topic].push_back(key.partition);
  }
  Fetch message;
  auto& asked = message.groups.emplace_back();
  asked.group_id = group;
  for (const auto& [topic, partitions] : wanted) {
    asked.topics->push_back({topic, {}, partitions});
  }
  network_.ask(
      observer_, message, 9,
      [this, floors, must_succeed](host::Bytes body) { on_fetched(body, *floors, must_succeed); },
      [this, floors, group] {
        for (const auto& [key, history] : ledger_.all()) {
          if (key.group == group) (*floors)[key] = ledger_.floor(key);
        }
      });
}

void World::on_fetched(host::Bytes body, const std::map<OffsetKey, std::uint64_t>& floors,
                       bool must_succeed) {
  const auto answer = protocol::decode<Fetched>(body, 9);
  if (!answer || answer->groups.size() != 1) return host_.trace.violated("a fetch is unreadable");
  const auto& group = answer->groups.front();
  if (group.error_code != 0) {
    if (must_succeed) host_.trace.violated("a fetch is refused while it is quiet");
    return;
  }
  for (const auto& topic : group.topics) {
    for (const auto& one : topic.partitions) {
      const OffsetKey key{std::string(group.group_id), std::string(topic.name),
                          one.partition_index};
      if (ledger_.allows(key, floors.at(key), one.committed_offset)) continue;
      host_.trace.violated("the offset of " + key.group + " " + key.topic + "-" +
                           std::to_string(key.partition) + " is " +
                           std::to_string(one.committed_offset) +
                           ", which is older than what was confirmed");
    }
  }
}

void World::check_converged() {
  for (const auto& [group, view] : groups_) {
    describe(group);
    fetch(group);
  }
  quiet(0);
  if (network_.unanswered() != 0) {
    host_.trace.violated(std::to_string(network_.unanswered()) + " requests were never answered");
  }
  for (const auto& [group, view] : groups_) check_group(group);
}

void World::check_group(const std::string& group) {
  std::vector<const Member*> members;
  for (const auto& member : members_) {
    if (!member->is_gone() && member->spec().group == group) members.push_back(member.get());
  }
  const GroupView& view = groups_.at(group);
  const auto require = [&](bool holds, const std::string& what) {
    if (!holds) host_.trace.violated(group + " has not come to rest: " + what);
  };
  require(view.members.size() == members.size(), std::to_string(view.members.size()) +
                                                     " members are known, there are " +
                                                     std::to_string(members.size()));
  if (members.empty()) {
    // Never there, or a group without members and offsets that has gone.
    const bool has_ended = view.state.empty() || view.state == "Empty";
    return require(has_ended, view.state);
  }
  require(view.state == "Stable", "it is " + view.state);
  Partitions owned;
  std::set<std::string> regexes;
  for (const Member* member : members) {
    const MemberSpec& spec = member->spec();
    const auto found = view.members.find(member->known_as());
    if (found == view.members.end()) return require(false, spec.id + " is not known");
    const MemberView& known = found->second;
    require(known.assigned == member->owned(),
            spec.id + " sees another assignment than the coordinator");
    if (!view.is_classic) {
      require(known.epoch == member->epoch(), spec.id + " is at another epoch");
      require(member->epoch() == view.epoch, spec.id + " lags behind");
      // One that sends none keeps what the member before it under its instance id had, as in Kafka.
      const bool inherits = spec.instance && !spec.regex;
      require(inherits || known.regex == spec.regex.value_or(""),
              spec.id + " has another regular expression");
    }
    if (!known.regex.empty()) regexes.insert(known.regex);
    owned.insert(member->owned().begin(), member->owned().end());
  }
  Partitions wanted;
  for (const auto& [name, topic] : topics_.all()) {
    if (std::ranges::none_of(members, [&](auto* member) { return member->subscribes(name); }) &&
        std::ranges::none_of(regexes, [&](auto& regex) { return RE2::FullMatch(name, regex); })) {
      continue;
    }
    for (std::uint32_t i = 0; i < topic.partitions; ++i) {
      wanted.emplace(topic.id, static_cast<std::int32_t>(i));
    }
  }
  require(owned == wanted,
          topics_.text(owned) + " is owned, " + topics_.text(wanted) + " is wanted");
  if (regexes.empty()) check_balance(members, group);
}

// The uniform assignor spreads what all subscribe as evenly as can be.
void World::check_balance(const std::vector<const Member*>& members, const std::string& group) {
  const MemberSpec& first = members.front()->spec();
  const bool is_plain = std::ranges::all_of(members, [&](const Member* member) {
    const MemberSpec& spec = member->spec();
    return spec.topics == first.topics && spec.assignor != "range" &&
           spec.speaks == Speaks::consumer;
  });
  const auto* uniform = host_.assignor_set().find(MUSTER_IFACE_PARTITION_ASSIGNOR, "uniform");
  if (!is_plain || uniform == nullptr || uniform->name != "uniform") return;
  const auto sizes =
      std::ranges::minmax(members, {}, [](auto* one) { return one->owned().size(); });
  if (sizes.max->owned().size() > sizes.min->owned().size() + 1) {
    host_.trace.violated(group + " is out of balance");
  }
}

// A reload brings back all that is durable, and nothing else.
void World::check_reload() {
  for (std::uint32_t shard = 0; shard < host_.store.shards(); ++shard) {
    const host::Buffer before = host_.space().shard(shard).digest(MUSTER_DIGEST_DURABLE);
    host_.store.lose(shard, 0);
    host_.store.regain(shard);
    host_.settle();
    if (!host_.space().shard(shard).active()) host_.trace.violated("a shard did not come back");
    if (before != host_.space().shard(shard).digest(MUSTER_DIGEST_DURABLE)) {
      host_.trace.violated("shard " + std::to_string(shard) + " is another after a reload");
    }
  }
  for (const auto& [group, view] : groups_) fetch(group);
  quiet(0);
}

}  // namespace muster::simulation
