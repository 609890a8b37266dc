// The table of the config protocol, and its shards.
#include "dispatch/configs.hpp"

#include "dispatch/configs_alter.hpp"
#include "dispatch/configs_describe.hpp"
#include "dispatch/configs_list.hpp"
#include "dispatch/configs_records.hpp"
#include "dispatch/configs_route.hpp"
#include "dispatch/own_protocol.hpp"

namespace muster::host {
namespace {

using protocol::AlterConfigsRequest;
using protocol::DescribeConfigsRequest;
using protocol::IncrementalAlterConfigsRequest;
using protocol::ListConfigResourcesRequest;

constexpr std::string_view shard_count_option = "offsets.topic.num.partitions";

constexpr muster_api_claim apis[] = {
    own_claim<DescribeConfigsRequest>(), own_claim<IncrementalAlterConfigsRequest>(),
    own_claim<AlterConfigsRequest>(), own_claim<ListConfigResourcesRequest>()};
constexpr muster_type_claim types[] = {{group_config_type, last_config_type}};

// One shard's groups that have overrides. replay writes; everything else reads.
struct ConfigShard {
  const OwnProtocol* protocol = nullptr;
  const muster_shard* shard = nullptr;
  GroupConfigs groups;

  void replace(const std::string& group, Overrides overrides) {
    Options& options = *protocol->service->options;
    for (const auto& [name, value] : groups[group]) {
      if (!overrides.contains(name)) options.set_group(group, name, std::nullopt);
    }
    for (const auto& [name, value] : overrides) options.set_group(group, name, value);
    if (overrides.empty()) {
      groups.erase(group);
    } else {
      groups[group] = std::move(overrides);
    }
  }
};

ConfigShard& shard_of(void* shard) { return *static_cast<ConfigShard*>(shard); }

template <class Message>
void respond(const Message& message, std::int16_t version, const muster_decision& decision) {
  protocol::Buffer body;
  protocol::encode(message, version, body);
  decision.respond(decision.self, {body.data(), body.size()});
}

void fail(const muster_error_sink* error, std::string_view message) {
  error->error(error->self, to_abi(message));
}

muster_code route(void* self, const muster_request* request, const muster_route_sink* out) {
  const Options& options = *static_cast<OwnProtocol*>(self)->service->options;
  const auto shard_count = static_cast<std::uint32_t>(options.int64(shard_count_option));
  return route_configs(*request, shard_count, *out);
}

muster_code join(void*, const muster_request* request, const muster_bytes* parts,
                 std::uint32_t count, const muster_bytes_sink* out) {
  return join_configs(*request, parts, count, *out);
}

muster_code refuse(void*, const muster_request* request, std::int16_t kafka_error, muster_str why,
                   const muster_bytes_sink* out) {
  return refuse_configs(*request, kafka_error, why, *out);
}

void* shard_open(void* self, const muster_shard* shard, const muster_error_sink*) {
  return new ConfigShard{static_cast<OwnProtocol*>(self), shard, {}};
}

// What this shard published must not outlive it: the next owner may know otherwise.
void shard_close(void* shard) {
  ConfigShard& closing = shard_of(shard);
  while (!closing.groups.empty()) {
    const std::string group = closing.groups.begin()->first;
    closing.replace(group, {});
  }
  delete &closing;
}

muster_code replay(void* shard, std::uint64_t, std::int32_t kind, muster_bytes key,
                   muster_bytes value, const muster_directory*) {
  if (kind != MUSTER_REPLAY_RECORD) return MUSTER_CORRUPT;
  const auto group = read_group_config_key(from_abi(key));
  if (!group) return MUSTER_CORRUPT;
  if (value.data == nullptr) {
    shard_of(shard).replace(*group, {});
    return MUSTER_OK;
  }
  auto overrides = read_group_config_value(from_abi(value));
  if (!overrides) return MUSTER_CORRUPT;
  shard_of(shard).replace(*group, std::move(*overrides));
  return MUSTER_OK;
}

template <class Request>
muster_code decide_alter(ConfigContext& context, const muster_decision& decision) {
  const auto request =
      protocol::decode<Request>(from_abi(context.request->body), context.request->version);
  if (!request) return MUSTER_INVALID_ARGUMENT;
  const auto alteration = alter_configs(context, *request);
  for (const AlteredGroup& altered : alteration.groups) {
    const Buffer key = group_config_key(altered.group);
    Buffer value;
    if (!altered.overrides.empty()) value = group_config_value(altered.overrides);
    const muster_bytes tombstone{nullptr, 0};
    decision.record(decision.self, to_abi(Bytes(key)),
                    altered.overrides.empty() ? tombstone : to_abi(Bytes(value)));
  }
  respond(alteration.response, context.request->version, decision);
  return MUSTER_OK;
}

muster_code decide_describe(ConfigContext& context, const muster_decision& decision) {
  const auto request = protocol::decode<DescribeConfigsRequest>(from_abi(context.request->body),
                                                                context.request->version);
  if (!request) return MUSTER_INVALID_ARGUMENT;
  respond(describe_configs(context, *request), context.request->version, decision);
  return MUSTER_OK;
}

muster_code decide_list(ConfigContext& context, const muster_decision& decision) {
  const auto request = protocol::decode<ListConfigResourcesRequest>(from_abi(context.request->body),
                                                                    context.request->version);
  if (!request) return MUSTER_INVALID_ARGUMENT;
  respond(list_config_resources(context, *request), context.request->version, decision);
  return MUSTER_OK;
}

muster_code decide(void* shard, const muster_request* request, const muster_decision* decision,
                   const muster_error_sink* error) {
  const ConfigShard& own = shard_of(shard);
  const HostOptionsService& service = *own.protocol->service;
  ConfigContext context{*service.options,
                        service.node_id,
                        own.protocol->authorize,
                        own.shard,
                        request,
                        own.groups,
                        {}};
  muster_code code = MUSTER_INVALID_ARGUMENT;
  switch (request->api_key) {
    case DescribeConfigsRequest::api_key: code = decide_describe(context, *decision); break;
    case IncrementalAlterConfigsRequest::api_key:
      code = decide_alter<IncrementalAlterConfigsRequest>(context, *decision);
      break;
    case AlterConfigsRequest::api_key:
      code = decide_alter<AlterConfigsRequest>(context, *decision);
      break;
    case ListConfigResourcesRequest::api_key: code = decide_list(context, *decision); break;
    default: break;
  }
  if (code != MUSTER_OK) fail(error, "a part of a config request cannot be read");
  return code;
}

muster_code digest(void* shard, std::int32_t part, const muster_bytes_sink* out) {
  if (part != MUSTER_DIGEST_DURABLE) return MUSTER_OK;
  for (const auto& [group, overrides] : shard_of(shard).groups) {
    for (const Buffer& bytes : {group_config_key(group), group_config_value(overrides)}) {
      out->bytes(out->self, to_abi(Bytes(bytes)));
    }
  }
  return MUSTER_OK;
}

muster_group_protocol_v1 make_table() {
  muster_group_protocol_v1 table = own_protocol_table(apis, types);
  table.route = route;
  table.join = join;
  table.refuse = refuse;
  table.shard_open = shard_open;
  table.shard_close = shard_close;
  table.replay = replay;
  table.decide = decide;
  table.digest = digest;
  return table;
}

}  // namespace

const muster_group_protocol_v1* config_protocol() {
  static const muster_group_protocol_v1 table = make_table();
  return &table;
}

}  // namespace muster::host
