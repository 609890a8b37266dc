// What a shard object of a group protocol gets: the host's view of its shard, the directory, tasks,
// replies. [shard] Good until the slot returns; ShardHost from shard_open to shard_close.
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <muster/sdk/facet.hpp>
#include <muster/sdk/metadata.hpp>
#include <muster/sdk/partition_assignor.hpp>
#include <muster/sdk/record.hpp>
#include <muster/sdk/types.hpp>

namespace muster::sdk {

enum class Kind : std::int32_t { record = MUSTER_REPLAY_RECORD, note = MUSTER_REPLAY_NOTE };
enum class Digest : std::int32_t { durable = MUSTER_DIGEST_DURABLE, noted = MUSTER_DIGEST_NOTED };

class ShardHost {
 public:
  explicit ShardHost(const muster_shard* table) : table_(table) {}

  std::uint32_t shard() const { return table_->shard; }
  std::uint32_t shard_count() const { return table_->shard_count; }
  // Wall clock, constant during a slot.
  std::int64_t now_ms() const { return offered(table_, &muster_shard::now_ms)(table_->self); }
  // Constant during a slot.
  Metadata metadata() const {
    const auto* view = offered(table_, &muster_shard::metadata)(table_->self);
    if (view == nullptr) throw Failure(MUSTER_UNAVAILABLE, "no metadata yet");
    return Metadata{view};
  }

  std::optional<GroupOwner> find_group(std::string_view group) const {
    muster_group_owner owner{};
    owner.struct_size = sizeof owner;
    const auto find = offered(table_, &muster_shard::find_group);
    const muster_code code = find(table_->self, to_str(group), &owner);
    if (code == MUSTER_UNAVAILABLE) return std::nullopt;
    require_ok(code, "the directory failed");
    return GroupOwner{owner};
  }

  // visit(std::string_view group, const GroupOwner&) for every owned id of this shard, ascending.
  template <class Visit>
  void each_group(Visit&& visit) const {
    auto each = [&](muster_str group, const muster_group_owner* owner) {
      visit(to_view(group), GroupOwner{*owner});
    };
    detail::Bounced bounced{each};
    offered(table_, &muster_shard::each_group)(
        table_->self, &bounced, [](void* self, muster_str group, const muster_group_owner* owner) {
          (*static_cast<decltype(bounced)*>(self))(group, owner);
        });
    bounced.rethrow();
  }

 private:
  const muster_shard* table_;
};

// Given to replay only: the one place where ownership of a group id changes.
class Directory {
 public:
  explicit Directory(const muster_directory* table) : table_(table) {}

  // Throws if another plugin owns it.
  void own(std::string_view group) {
    require_ok(offered(table_, &muster_directory::own)(table_->self, to_str(group)),
               "another plugin owns this group id");
  }
  void disown(std::string_view group) {
    offered(table_, &muster_directory::disown)(table_->self, to_str(group));
  }

 private:
  const muster_directory* table_;
};

// One offloaded piece of work, as `offload` named it.
struct Task {
  std::string_view key;
  std::uint64_t epoch;
  std::string_view kind;
};

// Takes the input of an offload; its kind says which one must be called, once.
class InputSink {
 public:
  explicit InputSink(const muster_input_sink* table) : table_(table) {}

  void bytes(Bytes input) {
    offered(table_, &muster_input_sink::bytes)(table_->self, to_bytes(input));
  }
  void partitions(const muster_partition_assignor_view& view) {
    offered(table_, &muster_input_sink::partitions)(table_->self, &view);
  }

 private:
  const muster_input_sink* table_;
};

// A checked assignment: each subscribed partition once, to a subscriber.
struct PartitionAssignment {
  PartitionView input;                   // the view the assignor saw
  std::span<const std::uint32_t> owner;  // by partition: member index, or MUSTER_NONE
};

class TaskResult {
 public:
  TaskResult(muster_code outcome, muster_bytes result) : outcome_(outcome), result_(result) {}

  bool ok() const { return outcome_ == MUSTER_OK; }
  muster_code outcome() const { return outcome_; }
  Bytes bytes() const { return to_span(result_); }  // of "work/..."
  PartitionAssignment partitions() const {          // of a partition assignor
    const auto* raw = reinterpret_cast<const muster_partition_assignment*>(result_.data);
    if (!ok() || raw == nullptr || !covers(*raw, &muster_partition_assignment::owner)) {
      throw Failure(MUSTER_INTERNAL, "the task has no assignment");
    }
    const PartitionView view{raw->input};
    return {view, {raw->owner, view.partition_count()}};
  }

 private:
  muster_code outcome_;
  muster_bytes result_;
};

// What a call brought. Parts die with the slot unless retained.
class Reply {
 public:
  explicit Reply(const muster_reply* table) : table_(table) {}

  std::int16_t kafka_error() const { return table_->kafka_error; }
  Parts parts() const { return {table_->parts, table_->part_count}; }
  // `parts`, pieces of this reply (and of memory that outlives it), to go on to a client without
  // a copy. Hand the result to respond_shared or complete_shared: that releases it.
  SharedBytes retain(std::span<const muster_bytes> parts) const {
    const auto release = offered(table_, &muster_reply::release);
    return {parts, release, offered(table_, &muster_reply::retain)(table_->self)};
  }

 private:
  const muster_reply* table_;
};

class MirrorSink {
 public:
  explicit MirrorSink(const muster_mirror_sink* table) : table_(table) {}

  void record(std::string_view topic, std::string_view partition_key, Bytes key,
              std::optional<Bytes> value) {
    offered(table_, &muster_mirror_sink::record)(table_->self, to_str(topic), to_str(partition_key),
                                                 to_bytes(key), to_nullable_bytes(value));
  }

 private:
  const muster_mirror_sink* table_;
};

}  // namespace muster::sdk
