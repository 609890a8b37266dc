// The table of the feature protocol, and its shards. Only shard 0 has records.
#include "dispatch/features.hpp"

#include "dispatch/features_update.hpp"
#include "dispatch/own_protocol.hpp"
#include "dispatch/permissions.hpp"
#include "runtime/bytes.hpp"

#include <muster/protocol/messages/update_features_response.hpp>
#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>

namespace muster::host {
namespace {

using protocol::UpdateFeaturesRequest;
using protocol::UpdateFeaturesResponse;

constexpr std::int16_t feature_type = 0x3010;
constexpr std::int16_t value_version = 0;
constexpr bool compact = false;
constexpr muster_api_claim apis[] = {own_claim<UpdateFeaturesRequest>()};
constexpr muster_type_claim types[] = {{feature_type, feature_type}};

// replay writes; everything else reads.
struct FeatureShard {
  const OwnProtocol* protocol = nullptr;
  FeatureUpdates levels;

  FeatureLevels& published() const { return protocol->service->options->features(); }
};

FeatureShard& shard_of(void* shard) { return *static_cast<FeatureShard*>(shard); }

Buffer record_key(std::string_view feature) {
  Buffer out;
  {
    protocol::Writer writer(out);
    writer.write_int16(feature_type);
    writer.write_string("", compact);
    writer.write_string(feature, compact);
  }
  return out;
}

Buffer record_value(std::int16_t level) {
  Buffer out;
  {
    protocol::Writer writer(out);
    writer.write_int16(value_version);
    writer.write_int16(level);
  }
  return out;
}

// By number: levels can be changed before the coordinator's topic is there.
muster_code route(void*, const muster_request* request, const muster_route_sink* out) {
  if (!protocol::decode<UpdateFeaturesRequest>(from_abi(request->body), request->version)) {
    return MUSTER_INVALID_ARGUMENT;
  }
  out->shard(out->self, to_abi(std::string_view("groups")), 0, request->body);
  return MUSTER_OK;
}

// There is always one part, so nothing is ever folded.
muster_code join(void*, const muster_request*, const muster_bytes*, std::uint32_t,
                 const muster_bytes_sink*) {
  return MUSTER_INVALID_ARGUMENT;
}

Buffer body_of(const UpdateFeaturesResponse& response, std::int16_t version) {
  Buffer body;
  protocol::encode(response, version, body);
  return body;
}

muster_code refuse(void*, const muster_request* request, std::int16_t kafka_error, muster_str why,
                   const muster_bytes_sink* out) {
  UpdateFeaturesResponse response;
  response.error_code = kafka_error;
  if (why.size != 0) response.error_message = from_abi(why);
  out->bytes(out->self, to_abi(Bytes(body_of(response, request->version))));
  return MUSTER_OK;
}

void* shard_open(void* self, const muster_shard*, const muster_error_sink*) {
  return new FeatureShard{static_cast<OwnProtocol*>(self), {}};
}

// What this shard published must not outlive it: the next owner may know otherwise.
void shard_close(void* shard) {
  if (!shard_of(shard).levels.empty()) shard_of(shard).published().reset();
  delete &shard_of(shard);
}

muster_code replay(void* shard, std::uint64_t sequence, std::int32_t kind, muster_bytes key,
                   muster_bytes value, const muster_directory*) {
  protocol::Reader name(from_abi(key));
  const std::int16_t type = name.read_int16();
  name.read_string(compact);
  const std::string_view feature = name.read_string(compact);
  if (kind != MUSTER_REPLAY_RECORD || !name.ok() || name.remaining() != 0 || type != feature_type) {
    return MUSTER_CORRUPT;
  }
  protocol::Reader reader(from_abi(value));
  const std::int16_t version = reader.read_int16();
  const std::int16_t level = reader.read_int16();
  if (!reader.ok() || reader.remaining() != 0 || version != value_version) return MUSTER_CORRUPT;
  shard_of(shard).levels.insert_or_assign(std::string(feature), level);
  shard_of(shard).published().update(feature, level, static_cast<std::int64_t>(sequence) + 1);
  return MUSTER_OK;
}

muster_code decide(void* shard, const muster_request* request, const muster_decision* decision,
                   const muster_error_sink*) {
  const OwnProtocol& protocol = *shard_of(shard).protocol;
  const auto message =
      protocol::decode<UpdateFeaturesRequest>(from_abi(request->body), request->version);
  if (!message) return MUSTER_INVALID_ARGUMENT;
  UpdateFeaturesResponse response;
  std::string why;
  const auto updates =
      judge_updates(shard_of(shard).published(), *message, protocol.service->node_id);
  if (!is_allowed(protocol.authorize, *request, {alter_operation, cluster_acl, cluster_name})) {
    response.error_code = code_of(Error::cluster_authorization_failed);
    response.error_message = "Cluster authorization failed.";
  } else if (!updates) {
    why = "The update failed for all features since the following feature had an error: " +
          updates.error();
    response.error_code = code_of(Error::invalid_update_version);
    response.error_message = why;
  } else {
    // From version 2 on the answer has no results.
    for (const auto& update : message->feature_updates) {
      response.results.push_back({update.feature, code_of(Error::none), "NONE"});
    }
    for (const auto& [feature, level] : *updates) {
      if (message->validate_only) break;
      decision->record(decision->self, to_abi(Bytes(record_key(feature))),
                       to_abi(Bytes(record_value(level))));
    }
  }
  decision->respond(decision->self, to_abi(Bytes(body_of(response, request->version))));
  return MUSTER_OK;
}

muster_code digest(void* shard, std::int32_t part, const muster_bytes_sink* out) {
  if (part != MUSTER_DIGEST_DURABLE) return MUSTER_OK;
  for (const auto& [feature, level] : shard_of(shard).levels) {
    out->bytes(out->self, to_abi(Bytes(record_key(feature))));
    out->bytes(out->self, to_abi(Bytes(record_value(level))));
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

const muster_group_protocol_v1* feature_protocol() {
  static const muster_group_protocol_v1 table = make_table();
  return &table;
}

}  // namespace muster::host
