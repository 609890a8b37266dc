#include "config_rig.hpp"

#include "config/option_value.hpp"

namespace muster::host::testing {
namespace {

using muster::testing::Buffer;
using muster::testing::RequestSpec;

std::vector<muster_option> declared() {
  std::vector<muster_option> options = consumer_options();
  muster_option internal = host_option("consumer.internal", MUSTER_OPTION_BOOL, "true");
  internal.scope = MUSTER_OPTION_GROUP;
  internal.flags = MUSTER_OPTION_INTERNAL;
  options.push_back(internal);
  muster_option tags = host_option("tags", MUSTER_OPTION_LIST, "a,b");
  tags.scope = MUSTER_OPTION_GROUP;
  options.push_back(tags);
  return options;
}

template <class Message>
RequestSpec spec(const Message& message, std::int16_t version) {
  RequestSpec out;
  out.api_key = Message::api_key;
  out.version = version;
  protocol::encode(message, version, out.body);
  return out;
}

// The protocol asks its host for its service; the rig's host knows only what plugins may.
thread_local const HostOptionsService* current_service = nullptr;
thread_local const muster_group_protocol_v1* current_protocol = nullptr;

struct HostWithOptions {
  const muster_host* inner;
  muster_host table;
};

const void* find_service(void* self, muster_str id) {
  const auto& host = *static_cast<HostWithOptions*>(self);
  if (std::string_view(id.data, id.size) == MUSTER_SERVICE_HOST_OPTIONS) return current_service;
  return host.inner->get_service(host.inner->self, id);
}

}  // namespace

void* OwnProtocolRig::create(const muster_host* host, const muster_options* options,
                             const muster_error_sink* error) {
  HostWithOptions with{host, *host};
  with.table.self = &with;
  with.table.get_service = find_service;
  return current_protocol->create(&with.table, options, error);
}

OwnProtocolRig::OwnProtocolRig(const muster_group_protocol_v1& protocol, FakePlugin plugin,
                               std::vector<ConfiguredValue> values)
    : plugin_(std::move(plugin)), table_(protocol) {
  auto options = Options::build({{plugin_.declarer()}, std::move(values), {}, false});
  if (!options) throw std::logic_error(options.error().to_string());
  options_ = std::move(*options);
  service_ = {sizeof service_, options_.get(), 3};
  current_service = &service_;
  current_protocol = &protocol;
  table_.create = create;
  export_ = {MUSTER_IFACE_GROUP_PROTOCOL, "host", &table_, nullptr, 0, nullptr, 0};
  descriptor_ = {sizeof descriptor_, 0, 1, 1, "org.muster.host", "0.1.0", "Apache-2.0", &export_};
  rig_ = std::make_unique<muster::testing::ProtocolRig>(descriptor_, "host");
  rig_->open();
}

ConfigRig::ConfigRig(std::vector<ConfiguredValue> values)
    : own_(*config_protocol(), FakePlugin("consumer").options(declared()), std::move(values)) {}

RequestSpec ConfigRig::describe_request(const std::vector<Resource>& resources, bool words,
                                        std::int16_t version) {
  protocol::DescribeConfigsRequest request;
  request.include_synonyms = words;
  request.include_documentation = words && version >= 3;
  for (const Resource& resource : resources) {
    auto& out = request.resources.emplace_back();
    out.resource_type = resource.type;
    out.resource_name = resource.name;
    out.configuration_keys = std::nullopt;
    if (resource.keys) {
      out.configuration_keys.emplace(resource.keys->begin(), resource.keys->end());
    }
  }
  return spec(request, version);
}

RequestSpec ConfigRig::alter_request(const std::vector<Resource>& resources, bool validate_only) {
  protocol::IncrementalAlterConfigsRequest request;
  request.validate_only = validate_only;
  for (const Resource& resource : resources) {
    auto& out = request.resources.emplace_back();
    out.resource_type = resource.type;
    out.resource_name = resource.name;
    for (const Change& change : resource.changes) {
      auto& config = out.configs.emplace_back();
      config.name = change.name;
      config.config_operation = change.operation;
      config.value = std::nullopt;
      if (change.value) config.value = *change.value;
    }
  }
  return spec(request, 1);
}

RequestSpec ConfigRig::list_request(std::vector<std::int8_t> types, std::int16_t version) {
  protocol::ListConfigResourcesRequest request;
  request.resource_types = std::move(types);
  return spec(request, version);
}

DescribeAnswer ConfigRig::describe(const std::vector<Resource>& resources, bool words,
                                   std::int16_t version) {
  return decode<protocol::DescribeConfigsResponse>(
      rig().answer(describe_request(resources, words, version)), version);
}

AlterAnswer ConfigRig::alter(const std::vector<Resource>& resources, bool validate_only) {
  return decode<protocol::IncrementalAlterConfigsResponse>(
      rig().answer(alter_request(resources, validate_only)), 1);
}

ReplaceAnswer ConfigRig::replace(const std::vector<Resource>& resources) {
  protocol::AlterConfigsRequest request;
  for (const Resource& resource : resources) {
    auto& out = request.resources.emplace_back();
    out.resource_type = resource.type;
    out.resource_name = resource.name;
    for (const Change& change : resource.changes) {
      auto& config = out.configs.emplace_back();
      config.name = change.name;
      config.value = std::nullopt;
      if (change.value) config.value = *change.value;
    }
  }
  return decode<protocol::AlterConfigsResponse>(rig().answer(spec(request, 2)), 2);
}

std::string ConfigRig::alter(const std::string& group, const Change& change) {
  const AlterAnswer answer = alter({{group_type, group, {change}}});
  const auto& response = answer->responses.at(0);
  if (response.error_code == 0) return "";
  return std::to_string(response.error_code) + " " +
         std::string(response.error_message.value_or("-"));
}

ListAnswer ConfigRig::list(std::vector<std::int8_t> types, std::int16_t version) {
  return decode<protocol::ListConfigResourcesResponse>(
      rig().answer(list_request(std::move(types), version)), version);
}

std::vector<std::string> entries(const protocol::DescribeConfigsResponse& answer) {
  std::vector<std::string> out;
  for (const auto& entry : answer.results.at(0).configs) {
    std::string line = std::string(entry.name) + "=" + std::string(entry.value.value_or("-")) +
                       " " + std::to_string(entry.config_source);
    for (const auto& synonym : entry.synonyms) {
      line += " [" + std::string(synonym.name) + "=" + std::string(synonym.value.value_or("-")) +
              " " + std::to_string(synonym.source) + "]";
    }
    out.push_back(line);
  }
  return out;
}

}  // namespace muster::host::testing
