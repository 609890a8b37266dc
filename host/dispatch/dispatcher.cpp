#include "dispatch/dispatcher.hpp"

#include "dispatch/api_versions.hpp"
#include "dispatch/broker_answer.hpp"
#include "dispatch/fanout.hpp"
#include "dispatch/find_coordinator.hpp"
#include "runtime/shard_of.hpp"

namespace muster::host {
namespace {

// Kafka's config resource type of group configs: the one kind of resource that lives in shards.
constexpr std::string_view group_resource = "32/";

// What internal calls carry. Kafka lets only this client id write to internal topics.
constexpr std::string_view host_principal = "User:muster";
constexpr std::string_view host_client_id = "__admin_client";

}  // namespace

std::string Dispatcher::add_space(Space& space) {
  spaces_.push_back({&space, std::make_unique<std::atomic<bool>>(false)});
  return apis_.add_space(space);
}

std::string Dispatcher::finish() {
  if (auto why = apis_.add_built_in(BuiltIn::api_versions, ApiVersions::claim); !why.empty()) {
    return why;
  }
  if (auto why = apis_.add_built_in(BuiltIn::find_coordinator, FindCoordinator::claim);
      !why.empty()) {
    return why;
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
    case BuiltIn::none: break;
  }
  if (api->protocols == nullptr && api->claim.scope == MUSTER_SCOPE_BROKER) {
    to_broker(request, std::move(to));
    return;
  }
  route(*api, request, std::move(to), touched);
}

void Dispatcher::route(const ApiEntry& api, const muster_request& request, ReplyTo to,
                       TouchedShards* touched) {
  RouteParts routed;
  routed.frame(from_abi(request.body));
  muster_code code = MUSTER_INTERNAL;
  if (api.broker_creates()) {
    const Broker& broker = parts_.broker;
    if (offers(broker.table, &muster_broker_v1::route)) {
      code = broker.table->route(broker.self, &request, routed.sink());
    }
  } else {
    const Protocol& creator = api.space->context().protocols->at(api.protocols->creator);
    code = creator.table->route(creator.self, &request, routed.sink());
  }
  if (code != MUSTER_OK) {
    to.deliver({AnswerKind::close, {}, {}});
    return;
  }
  if (routed.whole()) {
    muster_request keyed = request;
    keyed.key = to_abi(routed.key());
    if (api.claim.scope == MUSTER_SCOPE_RESOURCE) {
      to_resource(api, keyed, std::move(to), touched);
    } else {
      to_group(api, keyed, std::move(to), touched);
    }
    return;
  }
  const bool single = routed.parts().size() == 1 &&
                      routed.parts().front().kind != RoutePart::Kind::every_shard;
  if (single) {
    to_part(api, request, routed.parts().front(), std::move(to), touched);
    return;
  }
  fan_out(api, request, routed, to, touched);
}

void Dispatcher::fan_out(const ApiEntry& api, const muster_request& request,
                         const RouteParts& routed, const ReplyTo& to, TouchedShards* touched) {
  std::vector<std::pair<const RoutePart*, std::uint32_t>> all;
  for (const RoutePart& part : routed.parts()) {
    const std::uint32_t copies = part.kind == RoutePart::Kind::every_shard ? api.space->size() : 1;
    for (std::uint32_t i = 0; i < copies; ++i) all.emplace_back(&part, i);
  }
  const auto fold = [this, &api](const muster_request& whole, const std::vector<muster_bytes>& parts,
                                 Buffer& out) { return join(api, whole, parts, out); };
  const auto fanout = std::make_shared<Fanout>(request, all.size(), fold, to);
  if (all.empty()) fanout->finish();
  std::uint64_t slot = 0;
  for (const auto& [part, shard] : all) {
    const ReplyTo part_to{fanout, slot++};
    if (part->kind != RoutePart::Kind::every_shard) {
      to_part(api, request, *part, part_to, touched);
      continue;
    }
    muster_request copy = request;
    copy.id = parts_.request_ids->fetch_add(1, std::memory_order_relaxed) + 1;
    copy.body = to_abi(Bytes(part->body));
    if (!ready(*api.space)) {
      refuse(api, copy, Error::not_coordinator, "the coordinator's topic does not exist", part_to);
    } else {
      to_shard(api, *api.space, shard, copy, part_to, touched);
    }
  }
}

void Dispatcher::to_part(const ApiEntry& api, const muster_request& request, const RoutePart& part,
                         ReplyTo to, TouchedShards* touched) {
  muster_request own = request;
  own.id = parts_.request_ids->fetch_add(1, std::memory_order_relaxed) + 1;
  own.key = to_abi(std::string_view(part.key));
  own.body = to_abi(Bytes(part.body));
  if (part.kind == RoutePart::Kind::shard) {
    Space* const space = find_space(part.key);
    own.key = {};
    if (space != nullptr && space == api.space && part.shard < space->size()) {
      to_shard(api, *space, part.shard, own, std::move(to), touched);
    } else {
      refuse(api, own, Error::not_coordinator, "no such shard here", to);
    }
    return;
  }
  switch (part.scope) {
    case MUSTER_SCOPE_RESOURCE: to_resource(api, own, std::move(to), touched); return;
    case MUSTER_SCOPE_TOPIC:
    case MUSTER_SCOPE_BROKER:
      if (api.broker != nullptr) {
        to_broker(own, std::move(to));
      } else {
        refuse(api, own, Error::invalid_request, "no broker serves this part", to);
      }
      return;
    default: to_group(api, own, std::move(to), touched);
  }
}

void Dispatcher::to_group(const ApiEntry& api, const muster_request& request, ReplyTo to,
                          TouchedShards* touched) {
  if (api.space == nullptr || !ready(*api.space)) {
    refuse(api, request, Error::not_coordinator, "the coordinator's topic does not exist", to);
    return;
  }
  to_shard(api, *api.space, shard_of(from_abi(request.key), api.space->size()), request,
           std::move(to), touched);
}

void Dispatcher::to_resource(const ApiEntry& api, const muster_request& request, ReplyTo to,
                             TouchedShards* touched) {
  const std::string_view key = from_abi(request.key);
  const bool of_group = key.starts_with(group_resource);
  if (!of_group && api.broker != nullptr) {
    to_broker(request, std::move(to));
    return;
  }
  if (api.space == nullptr) {
    refuse(api, request, Error::invalid_request, "nobody serves this kind of resource", to);
    return;
  }
  const std::uint32_t shard =
      of_group ? shard_of(key.substr(group_resource.size()), api.space->size()) : 0;
  to_shard(api, *api.space, shard, request, std::move(to), touched);
}

void Dispatcher::to_shard(const ApiEntry& api, Space& space, std::uint32_t shard,
                          const muster_request& request, ReplyTo to, TouchedShards* touched) {
  if (touched != nullptr) {
    std::vector<bool>& shards = (*touched)[&space];
    if (shards.empty()) shards.resize(space.size());
    shards[shard] = true;
  }
  space.shard(shard).submit(request, *api.protocols, std::move(to));
}

void Dispatcher::to_broker(const muster_request& request, ReplyTo to) {
  const Broker& broker = parts_.broker;
  auto* const answer = new BrokerAnswer(std::move(to));
  broker.table->handle(broker.self, &request, answer->table());
}

void Dispatcher::refuse(const ApiEntry& api, const muster_request& request, Error error,
                        std::string_view why, const ReplyTo& to) {
  BytesCollector body;
  muster_code code = MUSTER_INTERNAL;
  if (!api.broker_creates()) {
    const Protocol& creator = api.space->context().protocols->at(api.protocols->creator);
    code = creator.table->refuse(creator.self, &request, code_of(error), to_abi(why), body.sink());
  } else if (offers(parts_.broker.table, &muster_broker_v1::refuse)) {
    code = parts_.broker.table->refuse(parts_.broker.self, &request, code_of(error), to_abi(why),
                                       body.sink());
  }
  if (code == MUSTER_OK) {
    to.body(body.buffer());
  } else {
    to.deliver({AnswerKind::close, {}, {}});
  }
}

bool Dispatcher::join(const ApiEntry& api, const muster_request& request,
                      const std::vector<muster_bytes>& parts, Buffer& out) const {
  BytesCollector body;
  const auto count = static_cast<std::uint32_t>(parts.size());
  muster_code code = MUSTER_INTERNAL;
  if (!api.broker_creates()) {
    const Protocol& creator = api.space->context().protocols->at(api.protocols->creator);
    if (offers(creator.table, &muster_group_protocol_v1::join)) {
      code = creator.table->join(creator.self, &request, parts.data(), count, body.sink());
    }
  } else if (offers(parts_.broker.table, &muster_broker_v1::join)) {
    code = parts_.broker.table->join(parts_.broker.self, &request, parts.data(), count, body.sink());
  }
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
