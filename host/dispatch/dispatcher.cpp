#include "dispatch/dispatcher.hpp"

#include "dispatch/api_versions.hpp"
#include "dispatch/broker_answer.hpp"
#include "dispatch/fanout.hpp"
#include "dispatch/find_coordinator.hpp"
#include "dispatch/sasl.hpp"
#include "runtime/guarded.hpp"
#include "runtime/shard_of.hpp"

namespace muster::host {
namespace {

// Kafka's config resource types: groups live in shards, topics in the broker.
constexpr std::string_view group_resource = "32/";
constexpr std::string_view topic_resource = "2/";

// What internal calls carry. Kafka lets only this client id write to internal topics.
constexpr std::string_view host_principal = "User:muster";
constexpr std::string_view host_client_id = "__admin_client";

}  // namespace

std::string Dispatcher::add_space(Space& space) {
  spaces_.push_back({&space, std::make_unique<std::atomic<bool>>(false)});
  return apis_.add_space(space);
}

std::string Dispatcher::finish() {
  constexpr std::pair<BuiltIn, muster_api_claim> own[] = {
      {BuiltIn::api_versions, ApiVersions::claim},
      {BuiltIn::find_coordinator, FindCoordinator::claim},
      {BuiltIn::sasl, Sasl::handshake_claim},
      {BuiltIn::sasl, Sasl::authenticate_claim},
  };
  for (const auto& [built_in, claim] : own) {
    if (auto why = apis_.add_built_in(built_in, claim); !why.empty()) return why;
  }
  return parts_.broker.table == nullptr ? std::string() : apis_.add_broker(parts_.broker);
}

Space* Dispatcher::find_space(std::string_view name) const {
  for (const SpaceEntry& entry : spaces_) {
    if (entry.space->context().name == name) return entry.space;
  }
  return nullptr;
}

bool Dispatcher::ready(const Space& space) const {
  for (const SpaceEntry& entry : spaces_) {
    if (entry.space == &space) return entry.ready->load(std::memory_order_acquire);
  }
  return false;
}

void Dispatcher::metadata_changed(const MetadataSnapshot& snapshot) {
  for (SpaceEntry& entry : spaces_) {
    entry.ready->store(snapshot.by_name(entry.space->context().internal_topic) != nullptr,
                       std::memory_order_release);
  }
}

void Dispatcher::dispatch(const muster_request& request, ReplyTo to, TouchedShards* touched) {
  const ApiEntry* const api = apis_.find(request.api_key);
  if (api == nullptr) {
    to.deliver({AnswerKind::close, {}, {}});
    return;
  }
  switch (api->built_in) {
    case BuiltIn::api_versions: parts_.api_versions->answer(request, apis_, to); return;
    case BuiltIn::find_coordinator: parts_.find_coordinator->answer(request, std::move(to)); return;
    case BuiltIn::sasl: Sasl::answer(request, to); return;
    case BuiltIn::none: break;
  }
  if (api->protocols == nullptr && api->claim.scope == MUSTER_SCOPE_BROKER) {
    to_broker(request, std::move(to));
    return;
  }
  route({*api, request, std::move(to), touched});
}

void Dispatcher::route(Passing whole) {
  const ApiEntry& api = whole.api;
  RouteParts routed;
  routed.frame(from_abi(whole.request.body));
  const muster_code code = guarded(nullptr, [&]() -> muster_code {
    if (api.broker_creates()) {
      const Broker& broker = parts_.broker;
      if (!offers(broker.table, &muster_broker_v1::route)) return MUSTER_INTERNAL;
      return broker.table->route(broker.self, &whole.request, routed.sink());
    }
    const Protocol& creator = api.space->context().protocols->at(api.protocols->creator);
    return creator.table->route(creator.self, &whole.request, routed.sink());
  });
  if (code != MUSTER_OK) {
    whole.to.deliver({AnswerKind::close, {}, {}});
    return;
  }
  if (routed.whole()) {
    muster_request keyed = whole.request;
    keyed.key = to_abi(routed.key());
    Passing passing{api, keyed, std::move(whole.to), whole.touched};
    api.claim.scope == MUSTER_SCOPE_RESOURCE ? to_resource(std::move(passing))
                                             : to_group(std::move(passing));
    return;
  }
  const bool single =
      routed.parts().size() == 1 && routed.parts().front().kind != RoutePart::Kind::every_shard;
  if (single) {
    to_part(whole, routed.parts().front(), whole.to);
  } else {
    fan_out(whole, routed);
  }
}

void Dispatcher::fan_out(const Passing& whole, const RouteParts& routed) {
  const ApiEntry& api = whole.api;
  std::vector<std::pair<const RoutePart*, std::uint32_t>> all;
  for (const RoutePart& part : routed.parts()) {
    const std::uint32_t copies = part.kind == RoutePart::Kind::every_shard ? api.space->size() : 1;
    for (std::uint32_t i = 0; i < copies; ++i) all.emplace_back(&part, i);
  }
  const auto fold = [this, &api](const muster_request& request,
                                 const std::vector<muster_bytes>& parts,
                                 Buffer& out) { return join(api, request, parts, out); };
  const auto fanout = std::make_shared<Fanout>(whole.request, all.size(), fold, whole.to);
  if (all.empty()) fanout->finish();
  std::uint64_t slot = 0;
  for (const auto& [part, shard] : all) {
    const ReplyTo part_to{fanout, slot++};
    if (part->kind != RoutePart::Kind::every_shard) {
      to_part(whole, *part, part_to);
      continue;
    }
    muster_request copy = whole.request;
    copy.id = parts_.request_ids->fetch_add(1, std::memory_order_relaxed) + 1;
    copy.body = to_abi(Bytes(part->body));
    Passing passing{api, copy, part_to, whole.touched};
    if (!ready(*api.space)) {
      refuse(passing, Error::not_coordinator, "the coordinator's topic does not exist");
    } else {
      to_shard(std::move(passing), *api.space, shard);
    }
  }
}

void Dispatcher::to_part(const Passing& whole, const RoutePart& part, const ReplyTo& to) {
  muster_request own = whole.request;
  own.id = parts_.request_ids->fetch_add(1, std::memory_order_relaxed) + 1;
  own.key = to_abi(std::string_view(part.key));
  own.body = to_abi(Bytes(part.body));
  Passing passing{whole.api, own, to, whole.touched};
  if (part.kind == RoutePart::Kind::shard) {
    Space* const space = find_space(part.key);
    own.key = {};
    if (space != nullptr && space == whole.api.space && part.shard < space->size()) {
      to_shard(std::move(passing), *space, part.shard);
    } else {
      refuse(passing, Error::not_coordinator, "no such shard here");
    }
    return;
  }
  switch (part.scope) {
    case MUSTER_SCOPE_RESOURCE: to_resource(std::move(passing)); return;
    case MUSTER_SCOPE_TOPIC:
    case MUSTER_SCOPE_BROKER:
      if (whole.api.broker != nullptr) {
        to_broker(own, to);
      } else {
        refuse(passing, Error::invalid_request, "no broker serves this part");
      }
      return;
    default: to_group(std::move(passing));
  }
}

void Dispatcher::to_group(Passing keyed) {
  Space* const space = keyed.api.space;
  if (space == nullptr || !ready(*space)) {
    refuse(keyed, Error::not_coordinator, "the coordinator's topic does not exist");
    return;
  }
  const std::uint32_t shard = shard_of(from_abi(keyed.request.key), space->size());
  to_shard(std::move(keyed), *space, shard);
}

void Dispatcher::to_resource(Passing keyed) {
  const std::string_view key = from_abi(keyed.request.key);
  const bool of_group = key.starts_with(group_resource);
  const bool of_topic = key.starts_with(topic_resource);
  const bool nobody_else = keyed.api.protocols == nullptr && !of_group;
  if (keyed.api.broker != nullptr && (of_topic || nobody_else)) {
    to_broker(keyed.request, std::move(keyed.to));
    return;
  }
  Space* const space = keyed.api.space;
  if (space == nullptr) {
    refuse(keyed, Error::invalid_request, "nobody serves this kind of resource");
    return;
  }
  const std::uint32_t shard =
      of_group ? shard_of(key.substr(group_resource.size()), space->size()) : 0;
  to_shard(std::move(keyed), *space, shard);
}

void Dispatcher::to_shard(Passing keyed, Space& space, std::uint32_t shard) {
  if (keyed.touched != nullptr) {
    std::vector<bool>& shards = (*keyed.touched)[&space];
    if (shards.empty()) shards.resize(space.size());
    shards[shard] = true;
  }
  space.shard(shard).submit(keyed.request, *keyed.api.protocols, std::move(keyed.to));
}

void Dispatcher::to_broker(const muster_request& request, ReplyTo to) {
  const Broker& broker = parts_.broker;
  auto* const answer = new BrokerAnswer(std::move(to));
  broker.table->handle(broker.self, &request, answer->table());
}

void Dispatcher::refuse(const Passing& passing, Error error, std::string_view why) {
  const ApiEntry& api = passing.api;
  const muster_request& request = passing.request;
  BytesCollector body;
  const muster_code code = guarded(nullptr, [&]() -> muster_code {
    if (!api.broker_creates()) {
      const Protocol& creator = api.space->context().protocols->at(api.protocols->creator);
      return creator.table->refuse(creator.self, &request, code_of(error), to_abi(why),
                                   body.sink());
    }
    const Broker& broker = parts_.broker;
    if (!offers(broker.table, &muster_broker_v1::refuse)) return MUSTER_INTERNAL;
    return broker.table->refuse(broker.self, &request, code_of(error), to_abi(why), body.sink());
  });
  if (code == MUSTER_OK) {
    passing.to.body(body.buffer());
  } else {
    passing.to.deliver({AnswerKind::close, {}, {}});
  }
}

bool Dispatcher::join(const ApiEntry& api, const muster_request& request,
                      const std::vector<muster_bytes>& parts, Buffer& out) const {
  BytesCollector body;
  const auto count = static_cast<std::uint32_t>(parts.size());
  const muster_code code = guarded(nullptr, [&]() -> muster_code {
    if (!api.broker_creates()) {
      const Protocol& creator = api.space->context().protocols->at(api.protocols->creator);
      if (!offers(creator.table, &muster_group_protocol_v1::join)) return MUSTER_INTERNAL;
      return creator.table->join(creator.self, &request, parts.data(), count, body.sink());
    }
    const Broker& broker = parts_.broker;
    if (!offers(broker.table, &muster_broker_v1::join)) return MUSTER_INTERNAL;
    return broker.table->join(broker.self, &request, parts.data(), count, body.sink());
  });
  out = std::move(body.buffer());
  return code == MUSTER_OK;
}

void Dispatcher::call(InternalCall call, ReplyTo to) {
  muster_request request{};
  request.struct_size = sizeof request;
  request.api_key = call.api_key;
  request.version = call.version;
  request.body = to_abi(Bytes(call.body));
  request.id = parts_.request_ids->fetch_add(1, std::memory_order_relaxed) + 1;
  const auto or_host = [](const std::string& given, std::string_view own) {
    return to_abi(given.empty() ? own : std::string_view(given));
  };
  request.principal = or_host(call.principal, host_principal);
  request.client_id = or_host(call.client_id, host_client_id);
  request.client_host = or_host(call.client_host, "/127.0.0.1");
  request.listener = to_abi(std::string_view());
  const ApiEntry* const api = apis_.find(call.api_key);
  if (api == nullptr || call.version < api->claim.min || call.version > api->claim.max) {
    to.deliver({AnswerKind::close, {}, {}});
    return;
  }
  dispatch(request, std::move(to));
}

void Dispatcher::close_connection(std::uint64_t connection) {
  if (parts_.close_connection) parts_.close_connection(connection);
}

void Dispatcher::disconnected(std::uint64_t connection, const TouchedShards& touched) {
  for (const SpaceEntry& entry : spaces_) {
    const auto found = touched.find(entry.space);
    if (found == touched.end()) continue;
    for (std::uint32_t i = 0; i < found->second.size(); ++i) {
      if (found->second[i]) entry.space->shard(i).disconnected(connection);
    }
  }
  if (parts_.broker.table != nullptr && offers(parts_.broker.table, &muster_broker_v1::gone)) {
    parts_.broker.table->gone(parts_.broker.self, connection);
  }
}

}  // namespace muster::host
