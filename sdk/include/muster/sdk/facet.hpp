// The group facet, both ends of it: the owner of a group id as others ask it, and the slots that
// answer, which are members of the author's Shard, all seven or none:
//   void describe_listed(std::string_view group, ListedSink&) const;
//   void check_commit(const Commit&, std::span<std::int16_t> errors, Decision&) const;
//   std::int16_t check_fetch(const Fetcher&) const;
//   bool subscribes(std::string_view group, std::string_view topic) const;
//   std::int16_t remove(std::string_view group, Decision&) const;
//   Expiry expires(std::string_view group) const;
//   void export_group(std::string_view group, Decision&, RecordSink&) const;
// [shard] They read, and emit only through their decision. Asking throws Failure where the owner
// failed, has no facet, or a decision is needed and there is none.
#pragma once

#include <muster/abi/group_protocol.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <muster/sdk/decision.hpp>
#include <muster/sdk/record.hpp>
#include <muster/sdk/types.hpp>

namespace muster::sdk {

struct TopicPartition {
  Uuid topic_id;
  std::string_view topic;
  std::int32_t partition;
};

inline TopicPartition to_topic_partition(muster_topic_partition raw) {
  return {to_uuid(raw.topic_id), to_view(raw.topic), raw.partition};
}

using TopicPartitions = Array<muster_topic_partition, TopicPartition, to_topic_partition>;

// A commit that asks whether it may.
class Commit {
 public:
  explicit Commit(const muster_commit* table) : table_(table) {}

  std::int16_t api_key() const { return table_->api_key; }
  std::int16_t version() const { return table_->version; }
  std::string_view group() const { return to_view(table_->group); }
  std::string_view member() const { return to_view(table_->member); }
  std::optional<std::string_view> instance() const { return to_nullable_view(table_->instance); }
  std::int32_t epoch() const { return table_->epoch; }
  TopicPartitions partitions() const { return {table_->partitions, table_->partition_count}; }

 private:
  const muster_commit* table_;
};

struct Fetcher {
  std::string_view group;
  std::optional<std::string_view> member;  // nothing: not asked by a member; not the same as ""
  std::int32_t epoch;
};

struct Listed {
  std::string type, protocol_type, state;
};

class ListedSink {
 public:
  explicit ListedSink(const muster_listed_sink* table) : table_(table) {}

  void listed(std::string_view type, std::string_view protocol_type, std::string_view state) {
    offered(table_, &muster_listed_sink::listed)(table_->self, to_str(type), to_str(protocol_type),
                                                 to_str(state));
  }

 private:
  const muster_listed_sink* table_;
};

struct Expiry {
  enum class When : std::int32_t {
    never = MUSTER_EXPIRES_NEVER,
    from_commit = MUSTER_EXPIRES_FROM_COMMIT,
    from_time = MUSTER_EXPIRES_FROM_TIME,
  };
  When when = When::never;
  std::int64_t from_ms = 0;
  bool unsubscribed_only = false;
};

namespace detail {

// Calls back into our code from the other side's frame, which nothing may be thrown through: the
// first exception is kept and thrown once the other side has returned.
template <class Body>
class Bounced {
 public:
  explicit Bounced(Body& body) : body_(body) {}

  template <class... Args>
  void operator()(const Args&... args) noexcept {
    if (thrown_) return;
    try {
      body_(args...);
    } catch (...) {
      thrown_ = std::current_exception();
    }
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  Body& body_;
  std::exception_ptr thrown_;
};

}  // namespace detail

// The owner of a group id, as ShardHost::find_group gives it. Good until the slot returns.
class GroupOwner {
 public:
  explicit GroupOwner(const muster_group_owner& table) {
    // An older host's struct is shorter.
    std::memcpy(&table_, &table, std::min<std::size_t>(table.struct_size, sizeof table_));
  }

  std::string_view name() const { return to_view(table_.name); }
  // False for an id whose records nobody claims: nothing is known of it but that it is taken.
  bool has_facet() const { return table_.facet != nullptr; }

  std::optional<Listed> describe_listed(std::string_view group) const {
    std::optional<Listed> out;
    auto keep = [&](muster_str type, muster_str protocol_type, muster_str state) {
      out = Listed{std::string(to_view(type)), std::string(to_view(protocol_type)),
                   std::string(to_view(state))};
    };
    detail::Bounced bounced{keep};
    const muster_listed_sink sink{
        sizeof sink, &bounced,
        [](void* self, muster_str type, muster_str protocol, muster_str state) {
          (*static_cast<decltype(bounced)*>(self))(type, protocol, state);
        }};
    const auto ask = slot(&muster_group_facet_v1::describe_listed);
    const muster_code code = ask(table_.shard, to_str(group), &sink);
    bounced.rethrow();
    require_ok(code, "the owner cannot describe its group");
    return out;
  }

  // errors: one a partition; all 0 = may.
  void check_commit(const muster_commit& commit, std::span<std::int16_t> errors) const {
    if (errors.size() != commit.partition_count) {
      throw Failure(MUSTER_INTERNAL, "one error a partition");
    }
    const auto ask = slot(&muster_group_facet_v1::check_commit);
    require_ok(ask(table_.shard, &commit, errors.data(), decision()),
               "the owner cannot check a commit");
  }
  // -> Kafka error
  std::int16_t check_fetch(const Fetcher& who) const {
    return slot(&muster_group_facet_v1::check_fetch)(table_.shard, to_str(who.group),
                                                     to_nullable_str(who.member), who.epoch);
  }
  bool subscribes(std::string_view group, std::string_view topic) const {
    const auto ask = slot(&muster_group_facet_v1::subscribes);
    return ask(table_.shard, to_str(group), to_str(topic)) != 0;
  }
  // -> Kafka error, 0 = its tombstones are in the batch
  std::int16_t remove(std::string_view group) const {
    return slot(&muster_group_facet_v1::remove)(table_.shard, to_str(group), decision());
  }
  Expiry expires(std::string_view group) const {
    Expiry out;
    std::int32_t unsubscribed_only = 0;
    const auto ask = slot(&muster_group_facet_v1::expires);
    out.when = static_cast<Expiry::When>(
        ask(table_.shard, to_str(group), &out.from_ms, &unsubscribed_only));
    out.unsubscribed_only = unsubscribed_only != 0;
    return out;
  }
  // visit(sequence, key, value) for each record of the group, as if written now.
  template <class Visit>
  void export_group(std::string_view group, Visit&& visit) const {
    auto each = [&](std::uint64_t sequence, muster_bytes key, muster_bytes value) {
      visit(sequence, to_span(key), to_span(value));
    };
    detail::Bounced bounced{each};
    const muster_record_sink sink{
        sizeof sink, &bounced,
        [](void* self, std::uint64_t sequence, muster_bytes key, muster_bytes value) {
          (*static_cast<decltype(bounced)*>(self))(sequence, key, value);
        }};
    const auto ask = slot(&muster_group_facet_v1::export_group);
    const muster_code code = ask(table_.shard, to_str(group), decision(), &sink);
    bounced.rethrow();
    require_ok(code, "the owner cannot export its group");
  }

 private:
  template <class Slot>
  Slot slot(Slot muster_group_facet_v1::* member) const {
    return offered(table_.facet, member);
  }
  const muster_decision* decision() const {
    if (table_.decision == nullptr) {
      throw Failure(MUSTER_INTERNAL, "this facet slot needs a decision, and here is none");
    }
    return table_.decision;
  }

  muster_group_owner table_{};
};

}  // namespace muster::sdk
