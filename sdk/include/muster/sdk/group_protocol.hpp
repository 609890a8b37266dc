// muster.group-protocol/1 in C++. An author's class P, constructed from (Host, Options), has
//   static constexpr muster_api_claim apis[];  static constexpr muster_type_claim types[];
//   static constexpr const char* shard_space;  // "groups" or "transactions"
//   route, refuse (and join): see bodies.hpp                                    [pure], const
//   void work(const Work&, BytesSink&) const;                                   [worker] optional
//   void mirror(Bytes key, std::optional<Bytes> value, MirrorSink&) const;      [pure]   optional
// and a class Shard, constructed from (P&, ShardHost), with
//   void replay(const Replayed&, Directory&);                                   the only writer
//   void decide(const Request&, Decision&) const;
// and, each only if wanted, all const:
//   void on_loaded(Decision&);
//   void on_timer(std::string_view key, Decision&);
//   void on_expired(std::uint64_t token, Decision&);
//   void task_input(const Task&, InputSink&);
//   void on_task(const Task&, const TaskResult&, Decision&);
//   void on_reply(std::uint64_t token, const Reply&, Decision&);
//   void on_metadata(const Metadata&, TopicChanges, Decision&);
//   void on_disconnect(std::uint64_t connection, Decision&);
//   void on_owner(std::string_view group, bool mine, Decision&);
//   void digest(Digest part, BytesSink&);
//   and the seven facet slots: see facet.hpp
// What each means: docs/border.md. A slot throws to fail. They are found by name: public, and not
// overloaded.
#pragma once

#include <muster/abi/group_protocol.h>

#include <muster/sdk/facet_slots.hpp>
#include <muster/sdk/protocol_slots.hpp>

namespace muster::sdk {

namespace detail {

template <class P>
constexpr void fill_optional_slots(muster_group_protocol_v1& table) {
  using Shard = typename P::Shard;
  using Slots = ShardSlots<P>;
  if constexpr (HasOnLoaded<Shard>) table.on_loaded = &Slots::on_loaded;
  if constexpr (HasOnTimer<Shard>) table.on_timer = &Slots::on_timer;
  if constexpr (HasOnExpired<Shard>) table.on_expired = &Slots::on_expired;
  if constexpr (HasTaskInput<Shard>) table.task_input = &Slots::task_input;
  if constexpr (HasOnTask<Shard>) table.on_task = &Slots::on_task;
  if constexpr (HasOnReply<Shard>) table.on_reply = &Slots::on_reply;
  if constexpr (HasOnMetadata<Shard>) table.on_metadata = &Slots::on_metadata;
  if constexpr (HasOnDisconnect<Shard>) table.on_disconnect = &Slots::on_disconnect;
  if constexpr (HasOnOwner<Shard>) table.on_owner = &Slots::on_owner;
  if constexpr (HasFacet<Shard>) table.facet = &facet_table<P>;
  if constexpr (HasDigest<Shard>) table.digest = &Slots::digest;
}

template <class P>
constexpr muster_group_protocol_v1 make_group_protocol_table() {
  static_assert(std::is_constructible_v<typename P::Shard, P&, ShardHost>);
  muster_group_protocol_v1 table{};
  table.struct_size = sizeof table;
  table.apis = std::data(P::apis);
  table.api_count = std::size(P::apis);
  if constexpr (requires { P::types; }) {
    table.types = std::data(P::types);
    table.type_count = std::size(P::types);
  }
  table.shard_space = P::shard_space;
  table.create = &create_instance<P>;
  table.destroy = &destroy_instance<P>;
  table.route = &BodySlots<P>::route;
  if constexpr (HasJoin<P>) table.join = &BodySlots<P>::join;
  table.refuse = &BodySlots<P>::refuse;
  if constexpr (HasWork<P>) table.work = &ProtocolSlots<P>::work;
  if constexpr (HasMirror<P>) table.mirror = &ProtocolSlots<P>::mirror;
  table.shard_open = &ProtocolSlots<P>::shard_open;
  table.shard_close = &ShardSlots<P>::close;
  table.replay = &ShardSlots<P>::replay;
  table.decide = &ShardSlots<P>::decide;
  fill_optional_slots<P>(table);
  return table;
}

}  // namespace detail

template <class P>
inline constexpr muster_group_protocol_v1 group_protocol_table =
    detail::make_group_protocol_table<P>();

}  // namespace muster::sdk
