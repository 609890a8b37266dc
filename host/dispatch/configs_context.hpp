// What the parts of the config protocol share: resource types, sources, errors, the request being
// answered. Owner: host/dispatch. Lives for one slot call.
#pragma once

#include "config/options.hpp"
#include "dispatch/permissions.hpp"
#include "runtime/bytes.hpp"
#include "runtime/kafka_error.hpp"

#include <muster/abi/group_protocol.h>
#include <muster/abi/host.h>

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace muster::host {

// Kafka's ConfigResource.Type.
enum class ResourceType : std::int8_t {
  unknown = 0,
  topic = 2,
  broker = 4,
  broker_logger = 8,
  client_metrics = 16,
  group = 32,
};
[[nodiscard]] ResourceType resource_type(std::int8_t number);

// Kafka's DescribeConfigsResponse.ConfigSource.
inline constexpr std::int8_t static_broker_source = 4;
inline constexpr std::int8_t default_source = 5;
inline constexpr std::int8_t group_source = 8;

// The part key of what no single resource stands behind: refused requests and duplicates.
inline constexpr std::string_view no_resource_key = "0/";

// One resource's verdict; no error by default.
struct ResourceError {
  Error error = Error::none;
  std::optional<std::string> message;
};

// Overrides by group id.
using GroupConfigs = std::map<std::string, Overrides, std::less<>>;

struct ConfigContext {
  const Options& options;
  std::int32_t node_id = 0;
  const muster_authorize_v1* authorize = nullptr;
  const muster_shard* shard = nullptr;
  const muster_request* request = nullptr;
  const GroupConfigs& groups;
  // Text that answers point to until they are encoded.
  std::deque<std::string> texts;

  std::string_view keep(std::string text) { return texts.emplace_back(std::move(text)); }
  [[nodiscard]] const Overrides& overrides_of(std::string_view group) const;
  [[nodiscard]] bool topic_exists(std::string_view topic) const;
};

// Whether the caller may do `operation` on the resource, in Kafka's terms of what that needs.
[[nodiscard]] ResourceError authorize(const ConfigContext& context, std::int32_t operation,
                                      ResourceType type, std::string_view name);

}  // namespace muster::host
