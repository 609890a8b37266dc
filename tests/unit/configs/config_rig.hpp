// The config protocol on a ProtocolRig, with the options of a consumer group protocol, and its
// three requests in words.
#pragma once

#include "declared.hpp"
#include "dispatch/configs.hpp"
#include "dispatch/own_protocol.hpp"

#include <muster/testing/protocol_rig.hpp>

#include <muster/protocol/messages/alter_configs_request.hpp>
#include <muster/protocol/messages/alter_configs_response.hpp>
#include <muster/protocol/messages/describe_configs_request.hpp>
#include <muster/protocol/messages/describe_configs_response.hpp>
#include <muster/protocol/messages/incremental_alter_configs_request.hpp>
#include <muster/protocol/messages/incremental_alter_configs_response.hpp>
#include <muster/protocol/messages/list_config_resources_request.hpp>
#include <muster/protocol/messages/list_config_resources_response.hpp>

#include <memory>
#include <string>
#include <vector>

namespace muster::host::testing {

constexpr std::int8_t topic_type = 2;
constexpr std::int8_t broker_type = 4;
constexpr std::int8_t logger_type = 8;
constexpr std::int8_t metrics_type = 16;
constexpr std::int8_t group_type = 32;

enum Operation : std::int8_t { set = 0, remove = 1, append = 2, subtract = 3 };

// A decoded body that keeps the bytes it points to.
template <class Message>
struct Body {
  std::shared_ptr<muster::testing::Buffer> bytes;
  Message message;
  const Message* operator->() const { return &message; }
};

using DescribeAnswer = Body<protocol::DescribeConfigsResponse>;
using AlterAnswer = Body<protocol::IncrementalAlterConfigsResponse>;
using ReplaceAnswer = Body<protocol::AlterConfigsResponse>;
using ListAnswer = Body<protocol::ListConfigResourcesResponse>;

struct Change {
  std::string name;
  std::int8_t operation = set;
  std::optional<std::string> value;
};

struct Resource {
  std::int8_t type = group_type;
  std::string name;
  std::vector<Change> changes = {};                   // alter
  std::optional<std::vector<std::string>> keys = {};  // describe
};

// One of the host's own protocols, with the options of a consumer group protocol. The node has
// id 3.
class OwnProtocolRig {
 public:
  OwnProtocolRig(const muster_group_protocol_v1& protocol, FakePlugin plugin,
                 std::vector<ConfiguredValue> values);

  Options& options() { return *options_; }
  muster::testing::ProtocolRig& rig() { return *rig_; }

 private:
  static void* create(const muster_host* host, const muster_options* options,
                      const muster_error_sink* error);

  FakePlugin plugin_;
  std::unique_ptr<Options> options_;
  HostOptionsService service_{};
  muster_group_protocol_v1 table_{};
  muster_export export_{};
  muster_plugin descriptor_{};
  std::unique_ptr<muster::testing::ProtocolRig> rig_;
};

class ConfigRig {
 public:
  // `values` are set as if by the configuration.
  explicit ConfigRig(std::vector<ConfiguredValue> values = {});

  muster::testing::RequestSpec describe_request(const std::vector<Resource>& resources,
                                                bool words = true, std::int16_t version = 4);
  muster::testing::RequestSpec alter_request(const std::vector<Resource>& resources,
                                             bool validate_only = false);
  static muster::testing::RequestSpec list_request(std::vector<std::int8_t> types,
                                                   std::int16_t version = 1);

  DescribeAnswer describe(const std::vector<Resource>& resources, bool words = true,
                          std::int16_t version = 4);
  AlterAnswer alter(const std::vector<Resource>& resources, bool validate_only = false);
  // For one group and one change: "" or the error's number and message.
  std::string alter(const std::string& group, const Change& change);
  // AlterConfigs; every change is a set.
  ReplaceAnswer replace(const std::vector<Resource>& resources);
  ListAnswer list(std::vector<std::int8_t> types, std::int16_t version = 1);

  template <class Message>
  static Body<Message> decode(muster::testing::Buffer bytes, std::int16_t version) {
    auto kept = std::make_shared<muster::testing::Buffer>(std::move(bytes));
    auto message = protocol::decode<Message>(*kept, version);
    if (!message) throw std::logic_error("the answer cannot be decoded");
    return {kept, std::move(*message)};
  }

  Options& options() { return own_.options(); }
  muster::testing::ProtocolRig& rig() { return own_.rig(); }

 private:
  OwnProtocolRig own_;
};

// "name=value source [synonym=value source ...]", one an entry.
std::vector<std::string> entries(const protocol::DescribeConfigsResponse& answer);

}  // namespace muster::host::testing
