#include "offsets_rig.hpp"

namespace muster::offsets {

OffsetsRig::OffsetsRig(Door door) : ProtocolRig(testing::plugin_behind(door), "offsets") {
  metadata.put("orders", {.partitions = 3, .id = 1});
  metadata.put("payments", {.partitions = 2, .id = 2});
  metadata.take_changes();
  open();
}

OffsetsRig::~OffsetsRig() = default;

void OffsetsRig::open() { ProtocolRig::open(); }

void OffsetsRig::close() { ProtocolRig::close(); }

void OffsetsRig::reload() { ProtocolRig::reload(); }

Outcome OffsetsRig::decide(const RequestSpec& spec) { return ProtocolRig::decide(spec); }

Buffer OffsetsRig::answer(const RequestSpec& spec) { return ProtocolRig::answer(spec); }

Outcome OffsetsRig::on_metadata() { return ProtocolRig::on_metadata(); }

std::vector<Outcome> OffsetsRig::advance(std::int64_t ms) { return ProtocolRig::advance(ms); }

protocol::OffsetCommitRequest OffsetsRig::commit_request(std::string_view group,
                                                         const std::vector<Line>& lines) {
  protocol::OffsetCommitRequest request;
  request.group_id = group;
  for (const Line& line : lines) {
    if (request.topics.empty() || request.topics.back().name != line.topic) {
      auto& topic = request.topics.emplace_back();
      topic.name = line.topic;
      const muster_metadata_view* view = metadata.view();
      const muster_topic* known = view->by_name(view->self, testing::to_str(line.topic));
      topic.topic_id = topic_id(99);
      if (known != nullptr) {
        std::memcpy(topic.topic_id.bytes.data(), known->id.bytes, sizeof known->id.bytes);
      }
    }
    auto& partition = request.topics.back().partitions.emplace_back();
    partition.partition_index = line.partition;
    partition.committed_offset = line.offset;
    partition.committed_metadata = line.metadata;
    partition.committed_leader_epoch = line.leader_epoch;
  }
  return request;
}

Verdicts OffsetsRig::commit(const protocol::OffsetCommitRequest& request, std::int16_t version) {
  const auto response = ask<protocol::OffsetCommitResponse>(request, version);
  Verdicts out;
  for (const auto& topic : response->topics) {
    std::string name{topic.name};
    if (version >= 10) name = "#" + std::to_string(topic.topic_id.bytes[15]);
    for (const auto& partition : topic.partitions) {
      out.emplace_back(name, partition.partition_index, partition.error_code);
    }
  }
  return out;
}

void OffsetsRig::committed(std::string_view group, const std::vector<Line>& lines) {
  for (const Verdict& one : commit(group, lines)) {
    if (std::get<2>(one) != 0) throw std::logic_error("a commit was refused");
  }
}

std::int64_t OffsetsRig::fetch(std::string_view group, std::string_view topic,
                               std::int32_t partition) {
  protocol::OffsetFetchRequest request;
  auto& one = request.groups.emplace_back();
  one.group_id = group;
  one.topics = {{topic, {}, {partition}}};
  const auto response = ask<protocol::OffsetFetchResponse>(request, 9);
  return response->groups.at(0).topics.at(0).partitions.at(0).committed_offset;
}

Buffer offset_key(std::string_view group, std::string_view topic, std::int32_t partition) {
  return protocol::encode_key(protocol::OffsetCommitKey{group, topic, partition});
}

Buffer offset_value(const protocol::OffsetCommitValue& value, std::int16_t version) {
  return protocol::encode_value(value, version);
}

Write tombstone(std::string_view group, std::string_view topic, std::int32_t partition) {
  return {"offsets", false, offset_key(group, topic, partition), std::nullopt};
}

}  // namespace muster::offsets
