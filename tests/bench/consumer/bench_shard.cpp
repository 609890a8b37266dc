// A shard with as little around it as can be.
#include "bench_shard.hpp"

#include <muster/abi/plugin.h>
#include <muster/protocol/codec.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/records/consumer_group_current_member_assignment_key.hpp>
#include <muster/protocol/records/consumer_group_current_member_assignment_value.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_value.hpp>
#include <muster/protocol/records/consumer_group_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_metadata_value.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_member_key.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_member_value.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_metadata_key.hpp>
#include <muster/protocol/records/consumer_group_target_assignment_metadata_value.hpp>

#include <muster/testing/rig_sinks.hpp>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace muster::consumer {
namespace {

constexpr std::int32_t stable_epoch = 5;
constexpr std::string_view task_key = "assign g";
constexpr std::string_view task_kind = "muster.consumer.partition-assignor/1 uniform";

muster_str str(std::string_view text) { return {text.data(), text.size()}; }
muster_bytes bytes(const std::vector<std::uint8_t>& of) { return {of.data(), of.size()}; }

std::int64_t value_of(std::string_view option) {
  if (option.ends_with("session.timeout.ms")) return option.contains("max") ? 60000 : 45000;
  if (option.ends_with("heartbeat.interval.ms")) return option.contains("max") ? 15000 : 5000;
  if (option.ends_with("assignment.interval.ms")) return option.contains("max") ? 15000 : 0;
  if (option == "group.version") return 1;
  if (option == "group.consumer.regex.refresh.interval.ms") return 600000;
  return option == "assignor.wait.ms" ? 0 : 1 << 30;
}

std::deque<std::string> known_options;

}  // namespace

void BenchShard::make_tables() {
  options_ = {sizeof options_, this,
              [](void*, muster_str name) {
                known_options.emplace_back(name.data, name.size);
                return static_cast<std::int32_t>(known_options.size()) - 1;
              },
              [](void*, std::int32_t, muster_str) { return 1; },
              [](void*, std::int32_t option, muster_str) {
                static std::vector<std::int64_t> values;
                while (values.size() < known_options.size()) {
                  values.push_back(value_of(known_options[values.size()]));
                }
                return values[static_cast<std::size_t>(option)];
              },
              nullptr, nullptr,
              [](void*, std::int32_t option, muster_str, const muster_str** items) {
                static const muster_str assignors[] = {str("uniform")};
                static const muster_str protocols[] = {str("consumer")};
                const bool is_assignors =
                    known_options[static_cast<std::size_t>(option)].contains("assignors");
                *items = is_assignors ? assignors : protocols;
                return 1U;
              }};
  authorize_ = {sizeof authorize_, this,
                [](void*, muster_str, muster_str, std::int32_t, std::int32_t, muster_str) {
                  return 1;
                }};
  host_ = {sizeof host_, MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, "bench", this,
           [](void* self, muster_str id) -> const void* {
             const bool asks = std::string_view(id.data, id.size) == MUSTER_SERVICE_AUTHORIZE;
             return asks ? &of(self).authorize_ : nullptr;
           }};
  metadata_ = {sizeof metadata_, this, 1, static_cast<std::uint32_t>(topics_.size()),
               [](void* self, muster_str name) -> const muster_topic* {
                 auto& topics = of(self).topics_;
                 const auto at = std::ranges::lower_bound(
                     topics, std::string_view(name.data, name.size), {}, &Topic::name);
                 return at == topics.end() ? nullptr : &at->table;
               },
               [](void*, const muster_uuid*) -> const muster_topic* { return nullptr; },
               [](void* self, std::uint32_t i) -> const muster_topic* {
                 return &of(self).topics_[i].table;
               }};
  shard_host_ = {sizeof shard_host_, this, 0, 1,
                 [](void*) -> std::int64_t { return 1'700'000'000'000; },
                 [](void* self) -> const muster_metadata_view* { return &of(self).metadata_; },
                 [](void*, muster_str, muster_group_owner*) -> muster_code {
                   return MUSTER_UNAVAILABLE;
                 },
                 nullptr};
  directory_ = {sizeof directory_, this, [](void*, muster_str) -> muster_code { return MUSTER_OK; },
                [](void*, muster_str) {}};
  decision_.struct_size = sizeof decision_;
  decision_.self = this;
  decision_.record = [](void* self, muster_bytes key, muster_bytes value) {
    ++of(self).records_;
    of(self).keep(MUSTER_REPLAY_RECORD, key, value);
  };
  decision_.note = [](void* self, muster_bytes key, muster_bytes value) {
    of(self).keep(MUSTER_REPLAY_NOTE, key, value);
  };
  decision_.respond = [](void*, muster_bytes) {};
  decision_.timer = [](void* self, muster_str, std::uint32_t) { ++of(self).timers_; };
  decision_.cancel = [](void*, muster_str) {};
  decision_.offload = [](void*, muster_str, std::uint64_t, muster_str) {};
}

BenchShard::BenchShard(std::uint32_t topics, std::uint32_t partitions) {
  for (std::uint32_t i = 0; i < topics; ++i) {
    std::string digits = std::to_string(i);
    Topic& topic = topics_.emplace_back();
    topic.name = "topic-" + std::string(4 - digits.size(), '0') + digits;
    topic.rack_offsets.assign(partitions + 1, 0);
  }
  std::uint64_t number = 0;
  for (Topic& topic : topics_) {
    topic.table = {sizeof topic.table, str(topic.name), {}, partitions, 0, ++number,
                   topic.rack_offsets.data(), nullptr};
    topic.table.id.bytes[0] = static_cast<std::uint8_t>(number * 37);
    topic.table.id.bytes[15] = static_cast<std::uint8_t>(number);
  }
  make_tables();
  const muster_plugin* entry = muster_plugin_entry(MUSTER_ABI_MAJOR);
  table_ = static_cast<const muster_group_protocol_v1*>(entry->exports[0].table);
  plugin_ = table_->create(&host_, &options_, nullptr);
  shard_ = table_->shard_open(plugin_, &shard_host_, nullptr);
}

BenchShard::~BenchShard() {
  table_->shard_close(shard_);
  table_->destroy(plugin_);
}

void BenchShard::replay(std::int32_t kind, const std::vector<std::uint8_t>& key,
                        const std::vector<std::uint8_t>& value) {
  if (table_->replay(shard_, 1, kind, bytes(key), bytes(value), &directory_) != MUSTER_OK) {
    throw std::logic_error("a record was refused");
  }
}

void BenchShard::keep(std::int32_t kind, muster_bytes key, muster_bytes value) {
  if (!keeps_) return;
  entries_.push_back({kind, {key.data, key.data + key.size}, {value.data, value.data + value.size},
                      value.data == nullptr});
}

std::int32_t BenchShard::add_member(const std::string& group, const std::string& member) {
  protocol::ConsumerGroupMemberMetadataValue metadata;
  metadata.instance_id = metadata.rack_id = metadata.server_assignor = std::nullopt;
  metadata.client_id = "client";
  metadata.client_host = "/127.0.0.1";
  metadata.classic_member_metadata.reset();
  for (const Topic& topic : topics_) metadata.subscribed_topic_names.push_back(topic.name);
  protocol::ConsumerGroupCurrentMemberAssignmentValue current;
  current.member_epoch = current.previous_member_epoch = stable_epoch;
  replay(0, protocol::encode_key(protocol::ConsumerGroupMemberMetadataKey{group, member}),
         protocol::encode_value(metadata));
  replay(0, protocol::encode_key(protocol::ConsumerGroupCurrentMemberAssignmentKey{group, member}),
         protocol::encode_value(current));
  if (std::ranges::find(groups_, group) == groups_.end()) groups_.push_back(group);
  members_.push_back(member);
  return stable_epoch;
}

void BenchShard::set_epochs() {
  for (const std::string& group : groups_) {
    replay(0, protocol::encode_key(protocol::ConsumerGroupMetadataKey{group}),
           protocol::encode_value(protocol::ConsumerGroupMetadataValue{stable_epoch - 1, 0}));
    replay(0, protocol::encode_key(protocol::ConsumerGroupTargetAssignmentMetadataKey{group}),
           protocol::encode_value(
               protocol::ConsumerGroupTargetAssignmentMetadataValue{stable_epoch, 1}));
  }
}

void BenchShard::assign_round_robin() {
  using Value = protocol::ConsumerGroupTargetAssignmentMemberValue;
  std::ranges::sort(members_);
  std::vector<Value> values(members_.size());
  std::size_t next = 0;
  for (const Topic& topic : topics_) {
    for (std::uint32_t p = 0; p < topic.table.partition_count; ++p) {
      Value& value = values[next++ % values.size()];
      protocol::Uuid id;
      std::memcpy(id.bytes.data(), topic.table.id.bytes, 16);
      if (value.topic_partitions.empty() || value.topic_partitions.back().topic_id != id) {
        value.topic_partitions.push_back({id, {}});
      }
      value.topic_partitions.back().partitions.push_back(static_cast<std::int32_t>(p));
    }
  }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    replay(0, protocol::encode_key(
                  protocol::ConsumerGroupTargetAssignmentMemberKey{"g", members_[i]}),
           protocol::encode_value(values[i]));
  }
  set_epochs();
}

void BenchShard::decide(const muster_request* request) {
  keeps_ = true;
  entries_.clear();
  if (table_->decide(shard_, request, &decision_, nullptr) != MUSTER_OK) {
    throw std::logic_error("decide failed");
  }
  for (const Entry& entry : entries_) replay(entry.kind, entry.key, entry.value);
  keeps_ = false;
}

void BenchShard::look(const muster_request* request) {
  table_->decide(shard_, request, &decision_, nullptr);
}

std::uint32_t BenchShard::view_members() {
  std::uint32_t members = 0;
  const muster_input_sink sink{sizeof sink, &members, nullptr,
                               [](void* self, const muster_partition_assignor_view* view) {
                                 *static_cast<std::uint32_t*>(self) = view->member_count;
                               }};
  table_->task_input(shard_, str(task_key), stable_epoch, str(task_kind), &sink);
  return members;
}

void BenchShard::capture_view(std::uint32_t moved) {
  const muster_input_sink sink{
      sizeof sink, this, nullptr, [](void* self, const muster_partition_assignor_view* view) {
        BenchShard& shard = of(self);
        const auto numbers = [&](const std::uint32_t* from, std::size_t count) {
          return shard.numbers_.emplace_back(from, from + count).data();
        };
        const auto strings = [&](const muster_str* from, std::size_t count) {
          return shard.strings_.emplace_back(from, from + count).data();
        };
        shard.captured_ = *view;
        shard.captured_.topic_names = strings(view->topic_names, view->topic_count);
        shard.ids_.assign(view->topic_ids, view->topic_ids + view->topic_count);
        shard.captured_.topic_ids = shard.ids_.data();
        shard.captured_.topic_first = numbers(view->topic_first, view->topic_count + 1);
        shard.captured_.member_ids = strings(view->member_ids, view->member_count);
        shard.captured_.instance_ids = strings(view->instance_ids, view->member_count);
        const std::uint32_t partitions = view->topic_first[view->topic_count];
        shard.owner_.assign(view->current_owner, view->current_owner + partitions);
      }};
  table_->task_input(shard_, str(task_key), stable_epoch, str(task_kind), &sink);
  for (std::uint32_t i = 0; i < moved; ++i) {
    std::uint32_t& owner = owner_[i * (owner_.size() / moved)];
    owner = (owner + 1) % captured_.member_count;
  }
  ask_for_assignment();
}

// The group asks for an assignment: its epoch is ahead, and a member beats.
void BenchShard::ask_for_assignment() {
  replay(0, protocol::encode_key(protocol::ConsumerGroupMetadataKey{"g"}),
         protocol::encode_value(protocol::ConsumerGroupMetadataValue{stable_epoch + 1, 0}));
  protocol::ConsumerGroupHeartbeatRequest beat;
  beat.group_id = "g";
  beat.member_id = members_.front();
  beat.member_epoch = stable_epoch;
  testing::RequestSpec spec;
  spec.api_key = beat.api_key;
  spec.version = 1;
  protocol::encode(beat, 1, spec.body);
  const testing::RequestTable request(spec);
  decide(request.table());
}

void BenchShard::apply_captured() {
  const muster_partition_assignment result{sizeof result, &captured_, owner_.data()};
  table_->on_task(shard_, str(task_key), stable_epoch + 1, str(task_kind), MUSTER_OK,
                  {reinterpret_cast<const std::uint8_t*>(&result), sizeof result}, &decision_,
                  nullptr);
}

}  // namespace muster::consumer
