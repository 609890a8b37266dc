// A consumer group with classic members.
#include "classic_rig.hpp"

#include <muster/protocol/codec.hpp>
#include <muster/protocol/messages/consumer_protocol_assignment.hpp>
#include <muster/protocol/messages/consumer_protocol_subscription.hpp>
#include <muster/protocol/messages/heartbeat_request.hpp>
#include <muster/protocol/messages/heartbeat_response.hpp>
#include <muster/protocol/messages/join_group_request.hpp>
#include <muster/protocol/messages/join_group_response.hpp>
#include <muster/protocol/messages/leave_group_request.hpp>
#include <muster/protocol/messages/leave_group_response.hpp>
#include <muster/protocol/messages/sync_group_request.hpp>
#include <muster/protocol/messages/sync_group_response.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_value.hpp>
#include <muster/protocol/records/group_metadata_key.hpp>
#include <muster/protocol/records/group_metadata_value.hpp>

#include <deque>
#include <sstream>
#include <stdexcept>

namespace muster::consumer {
namespace {

using protocol::Buffer;
using protocol::Bytes;

// "foo:0,1 bar:2" as a list of {topic, partitions}.
template <class Named>
std::vector<Named> named(const std::string& text, std::deque<std::string>& names) {
  std::vector<Named> out;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    Named& topic = out.emplace_back();
    topic.topic = names.emplace_back(word.substr(0, colon));
    std::istringstream numbers(word.substr(colon + 1));
    for (std::string number; std::getline(numbers, number, ',');) {
      topic.partitions.push_back(std::stoi(number));
    }
  }
  return out;
}

template <class Message>
Buffer versioned(const Message& message, std::int16_t version) {
  Buffer out;
  {
    protocol::Writer writer(out);
    writer.write_int16(version);
    message.write(writer, std::min(version, Message::max_version));
  }
  return out;
}

Buffer to_buffer(const std::string& text) { return {text.begin(), text.end()}; }

std::string text_of_joined(const testing::Buffer& body, std::int16_t version) {
  const auto answer = protocol::decode<protocol::JoinGroupResponse>(body, version);
  if (!answer) throw std::logic_error("an answer that cannot be read");
  if (!answer->members.empty() || !answer->leader.empty()) {
    throw std::logic_error("the server assigns: there is no leader");
  }
  const std::string member(answer->member_id);
  if (answer->error_code != 0) {
    return "error " + std::to_string(answer->error_code) + (member.empty() ? "" : " " + member);
  }
  return member + " at " + std::to_string(answer->generation_id) + " by " +
         std::string(answer->protocol_name.value_or("null"));
}

}  // namespace

Join::Join() = default;
Join::Join(const Join&) = default;
Join& Join::operator=(const Join&) = default;
Join::~Join() = default;
Of::Of(std::string_view id, std::int32_t of) : member(id), generation(of) {}
Of::Of(const Of&) = default;
Of& Of::operator=(const Of&) = default;
Of::~Of() = default;

Join join_of(std::string_view member) {
  Join join;
  join.member = member;
  return join;
}
Join Join::owning(std::string_view partitions) const {
  Join copy = *this;
  copy.owned = partitions;
  return copy;
}
Join Join::with_topics(const Lines& names) const {
  Join copy = *this;
  copy.topics = names;
  return copy;
}
Join Join::with_protocols(const Lines& names) const {
  Join copy = *this;
  copy.protocols = names;
  return copy;
}
Join Join::with_instance(std::string_view id) const {
  Join copy = *this;
  copy.instance = id;
  return copy;
}
Join Join::with_version(std::int16_t number) const {
  Join copy = *this;
  copy.version = number;
  return copy;
}
Of Of::with_instance(std::string_view id) const {
  Of copy = *this;
  copy.instance = id;
  return copy;
}
Of Of::with_protocol(std::optional<std::string> type, std::optional<std::string> name) const {
  Of copy = *this;
  copy.protocol_type = std::move(type);
  copy.protocol_name = std::move(name);
  return copy;
}
Of Of::with_sync_version(std::int16_t number) const {
  Of copy = *this;
  copy.sync_version = number;
  return copy;
}

testing::Buffer subscription_of(const Join& join) {
  if (join.metadata) return to_buffer(*join.metadata);
  using Subscription = protocol::ConsumerProtocolSubscription;
  std::deque<std::string> names;
  Subscription subscription;
  subscription.topics.assign(join.topics.begin(), join.topics.end());
  subscription.owned_partitions = named<Subscription::TopicPartition>(join.owned, names);
  subscription.generation_id = join.owned_generation;
  subscription.rack_id = join.rack;
  return versioned(subscription, join.subscription_version);
}

testing::Buffer assignment_of(const std::string& partitions, const std::string& user_data) {
  using Assignment = protocol::ConsumerProtocolAssignment;
  std::deque<std::string> names;
  Assignment assignment;
  assignment.assigned_partitions = named<Assignment::TopicPartition>(partitions, names);
  const Buffer data = to_buffer(user_data);
  if (!data.empty()) assignment.user_data = Bytes(data);
  return versioned(assignment, 3);
}

ClassicRig::ClassicRig(Door door, bool opened) : ConsumerRig(door, opened) {}
ClassicRig::~ClassicRig() = default;

template <class Request>
testing::RequestSpec ClassicRig::spec(const Request& request, std::int16_t version,
                                      std::string_view group) {
  testing::RequestSpec spec;
  spec.api_key = Request::api_key;
  spec.version = version;
  protocol::encode(request, version, spec.body);
  spec.id = ++ids_;
  spec.client_id = "client";
  spec.client_host = "/127.0.0.1";
  spec.principal = "User:test";
  spec.key = group;
  return spec;
}

template <class Response>
Response ClassicRig::ask_for(const testing::RequestSpec& spec) {
  ask(spec);
  if (!last.response) throw std::logic_error("it was not answered");
  const auto answer = protocol::decode<Response>(*last.response, spec.version);
  if (!answer) throw std::logic_error("an answer that cannot be read");
  return *answer;
}

testing::RequestSpec ClassicRig::spec_of_join(const Join& join) {
  protocol::JoinGroupRequest request;
  const Buffer subscription = subscription_of(join);
  request.group_id = join.group;
  request.member_id = join.member;
  request.group_instance_id = join.instance;
  request.session_timeout_ms = join.session_timeout_ms;
  request.rebalance_timeout_ms = join.rebalance_timeout_ms;
  request.protocol_type = join.protocol_type;
  for (const std::string& name : join.protocols) request.protocols.push_back({name, subscription});
  return spec(request, join.version, join.group);
}

std::string ClassicRig::send_join(const Join& join) {
  ask(spec_of_join(join));
  if (last.handed_on) return "handed on";
  if (last.response) return text_of_joined(*last.response, join.version);
  if (last.parks.empty()) throw std::logic_error("it was neither answered nor parked");
  return "";
}

std::string ClassicRig::join(const Join& join) {
  const std::string answer = send_join(join);
  if (!answer.empty()) return answer;
  finish();
  return joined();
}

std::string ClassicRig::joined() {
  if (others.empty()) throw std::logic_error("no JoinGroup was answered");
  const std::string text = text_of_joined(others.back(), 9);
  others.clear();
  return text;
}

testing::RequestSpec ClassicRig::spec_of_sync(const Of& by) {
  protocol::SyncGroupRequest request;
  request.group_id = by.group;
  request.member_id = by.member;
  request.group_instance_id = by.instance;
  request.generation_id = by.generation;
  request.protocol_type = by.protocol_type;
  request.protocol_name = by.protocol_name;
  return spec(request, by.sync_version, by.group);
}

std::string ClassicRig::sync(const Of& by) {
  const auto answer = ask_for<protocol::SyncGroupResponse>(spec_of_sync(by));
  if (answer.error_code != 0) return "error " + std::to_string(answer.error_code);
  protocol::Reader in(answer.assignment);
  const std::int16_t embedded = in.read_int16();
  protocol::ConsumerProtocolAssignment assignment;
  assignment.read(in, embedded);
  if (!in.ok() || in.remaining() != 0) throw std::logic_error("an assignment that cannot be read");
  std::string text;
  for (const auto& topic : assignment.assigned_partitions) {
    text += std::string(topic.topic) + ":";
    for (const std::int32_t p : topic.partitions) text += std::to_string(p) + ",";
    text.back() = ' ';
  }
  return text + "v" + std::to_string(embedded);
}

testing::RequestSpec ClassicRig::spec_of_beat(const Of& by) {
  protocol::HeartbeatRequest request;
  request.group_id = by.group;
  request.member_id = by.member;
  request.group_instance_id = by.instance;
  request.generation_id = by.generation;
  return spec(request, by.version, by.group);
}

std::int16_t ClassicRig::beat_of(const Of& by) {
  return ask_for<protocol::HeartbeatResponse>(spec_of_beat(by)).error_code;
}

testing::RequestSpec ClassicRig::spec_of_leave(const std::vector<Of>& members,
                                               std::int16_t version) {
  protocol::LeaveGroupRequest request;
  request.group_id = members.front().group;
  request.member_id = members.front().member;
  for (const Of& member : members) {
    request.members.push_back({member.member, member.instance, std::nullopt});
  }
  return spec(request, version, request.group_id);
}

std::string ClassicRig::leave(const std::vector<Of>& members, std::int16_t version) {
  const auto answer = ask_for<protocol::LeaveGroupResponse>(spec_of_leave(members, version));
  std::string text = std::to_string(answer.error_code) + ":";
  for (const auto& member : answer.members) {
    text += (text.back() == ':' ? " " : ", ") + std::string(member.member_id) + " " +
            std::to_string(member.error_code);
  }
  return text;
}

void ClassicRig::own_by_classic(std::int32_t generation, const std::vector<Exported>& members) {
  using Details = protocol::ConsumerGroupMemberMetadataValue;
  protocol::GroupMetadataValue group;
  std::deque<Buffer> bytes;
  const Buffer group_key = protocol::encode_key(protocol::GroupMetadataKey{"g"});
  classic.export_writes.clear();
  for (const Exported& from : members) {
    Join join;
    join.topics = from.topics;
    join.owned = from.owned;
    join.owned_generation = from.owned_generation;
    const Buffer& subscription = bytes.emplace_back(subscription_of(join));
    Buffer& assignment = bytes.emplace_back();
    if (from.assigned != "none") assignment = assignment_of(from.assigned, from.user_data);
    group.members.push_back({from.member, from.instance, "client", "/127.0.0.1", 5000, 10000,
                             subscription, assignment});
    Details details;
    details.instance_id = from.instance;
    details.client_id = "client";
    details.client_host = "/127.0.0.1";
    details.rebalance_timeout_ms = 5000;
    details.classic_member_metadata.emplace();
    details.classic_member_metadata->session_timeout_ms = 10000;
    details.classic_member_metadata->supported_protocols = {{"range", subscription},
                                                            {"cooperative", subscription}};
    Buffer key = group_key;
    protocol::Writer(key).write_string(from.member, false);
    classic.export_writes.emplace_back(std::move(key), protocol::encode_value(details));
  }
  group.protocol_type = "consumer";
  group.generation = generation;
  group.protocol = "range";
  if (!members.empty()) group.leader = members.front().member;
  classic.export_writes.insert(classic.export_writes.begin(),
                               {group_key, protocol::encode_value(group, 3)});
  classic.remove_writes = {{"classic", false, group_key, std::nullopt}};
  own("g", classic);
}

Answer ClassicRig::upgrade(const Beat& join) {
  Beat by = join;
  by.owner = "classic";
  return beat(by);
}

}  // namespace muster::consumer
