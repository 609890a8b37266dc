// AlterConfigs and IncrementalAlterConfigs of topics; the host answers for every other kind of
// resource. Checks are in Kafka's order.
#include "apis/handlers.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include <muster/protocol/messages/alter_configs_request.hpp>
#include <muster/protocol/messages/alter_configs_response.hpp>
#include <muster/protocol/messages/incremental_alter_configs_request.hpp>
#include <muster/protocol/messages/incremental_alter_configs_response.hpp>
#include <muster/sdk/text.hpp>

#include "apis/topic_creation.hpp"
#include "topics/topic_name.hpp"

namespace muster::embedded {
namespace {

using protocol::AlterConfigsRequest;
using protocol::AlterConfigsResponse;
using protocol::IncrementalAlterConfigsRequest;
using protocol::IncrementalAlterConfigsResponse;
using Config = IncrementalAlterConfigsRequest::AlterableConfig;
using Resource = IncrementalAlterConfigsRequest::AlterConfigsResource;
using Verdict = std::expected<void, TopicFault>;

// Kafka's AlterConfigOp.OpType.
enum class Operation : std::int8_t { set = 0, remove = 1, append = 2, subtract = 3 };

constexpr std::size_t most_value_bytes = 32767;

Operation operation(const Config& config) {
  return static_cast<Operation>(config.config_operation);
}

std::unexpected<TopicFault> fault(Error error, std::string why) {
  return std::unexpected(TopicFault{error, std::move(why)});
}

// What AlterConfigs asks for, in the words of the other request.
Resource to_incremental(const AlterConfigsRequest::AlterConfigsResource& resource) {
  Resource out;
  out.resource_type = resource.resource_type;
  out.resource_name = resource.resource_name;
  for (const auto& config : resource.configs) {
    out.configs.push_back({config.name, static_cast<std::int8_t>(Operation::set), config.value});
  }
  return out;
}
const Resource& to_incremental(const Resource& resource) { return resource; }

Verdict check_form(const Resource& resource) {
  std::set<std::string_view> names;
  std::string null_names;
  for (const Config& config : resource.configs) {
    if (!names.insert(config.name).second) {
      return fault(Error::invalid_request, "Error due to duplicate config keys");
    }
    if (config.value || operation(config) == Operation::remove) continue;
    if (!null_names.empty()) null_names += ", ";
    null_names += config.name;
  }
  if (null_names.empty()) return {};
  return fault(Error::invalid_request, sdk::text("Null value not supported for : ", null_names));
}

// A list that is not set yet is edited from its default.
Verdict edit_list(const Config& config, std::string_view current, ConfigOverrides& configs) {
  const bool appends = operation(config) == Operation::append;
  if (!TopicConfig::is_list(config.name)) {
    return fault(Error::invalid_config,
                 sdk::text("Can't ", appends ? "APPEND" : "SUBTRACT", " to key ", config.name,
                           " because its type is not LIST."));
  }
  std::vector<std::string> items = TopicConfig::list_items(current);
  for (std::string& item : TopicConfig::list_items(*config.value)) {
    const auto at = std::ranges::find(items, item);
    if (appends && at == items.end()) items.push_back(std::move(item));
    if (!appends && at != items.end()) items.erase(at);
  }
  std::string text = TopicConfig::list_text(items);
  if (text.size() > most_value_bytes) {
    return fault(Error::invalid_config,
                 sdk::text("The configuration value cannot be added because it exceeds the maximum "
                           "value size of ",
                           most_value_bytes, " bytes."));
  }
  configs.insert_or_assign(std::string(config.name), std::move(text));
  return {};
}

class Alteration {
 public:
  // `replaces`: configs that the request does not name go back to their default.
  Alteration(Core& core, const sdk::Request& request, bool replaces, bool validate_only)
      : core_(core),
        request_(request),
        replaces_(replaces),
        validate_only_(validate_only),
        change_(core.topics.change()) {}

  Verdict run(const Resource& resource) {
    if (auto good = check_form(resource); !good) return good;
    if (resource.resource_type != config_resource_topic) {
      return fault(Error::invalid_request, "This broker alters topics only.");
    }
    const std::string name(resource.resource_name);
    if (!core_.may(request_, sdk::Operation::alter_configs, name)) {
      return fault(Error::topic_authorization_failed, "Topic authorization failed.");
    }
    if (name.empty()) {
      return fault(Error::invalid_request, "Default topic resources are not allowed.");
    }
    if (auto wrong = topic_name_fault(name)) {
      return fault(Error::invalid_topic_exception, *std::move(wrong));
    }
    const Topic* topic = change_.before().by_name(name);
    auto config = altered(resource, topic);
    if (!config) return std::unexpected(std::move(config.error()));
    if (topic == nullptr) {
      return fault(Error::unknown_topic_or_partition,
                   sdk::text("The topic '", name, "' does not exist."));
    }
    if (!validate_only_ && config->overrides() != topic->config->overrides()) {
      change_.configure(*topic, *std::move(config));
    }
    return {};
  }

  bool commit() {
    auto done = change_.commit();
    if (!done) core_.host.error("topic configs could not be stored: ", done.error().what);
    return done.has_value();
  }

 private:
  std::expected<TopicConfig, TopicFault> altered(const Resource& resource,
                                                 const Topic* topic) const {
    ConfigOverrides configs;
    if (topic != nullptr && !replaces_) configs = topic->config->overrides();
    for (const Config& config : resource.configs) {
      if (auto good = apply(config, topic, configs); !good) {
        return std::unexpected(std::move(good.error()));
      }
    }
    auto made = TopicConfig::make(std::move(configs), core_.topics.defaults());
    if (!made) return fault(Error::invalid_config, std::move(made.error()));
    return *std::move(made);
  }

  Verdict apply(const Config& config, const Topic* topic, ConfigOverrides& configs) const {
    switch (operation(config)) {
      case Operation::set:
        configs.insert_or_assign(std::string(config.name), std::string(*config.value));
        return {};
      case Operation::remove: configs.erase(std::string(config.name)); return {};
      case Operation::append:
      case Operation::subtract: return edit_list(config, current(config.name, topic), configs);
    }
    return fault(Error::invalid_request,
                 sdk::text("Unknown operations type ", config.config_operation));
  }

  std::string current(std::string_view name, const Topic* topic) const {
    if (topic == nullptr) return {};
    for (ConfigEntry& entry : topic->config->entries(core_.topics.defaults())) {
      if (entry.name == name) return std::move(entry.value);
    }
    return {};
  }

  Core& core_;
  const sdk::Request& request_;
  const bool replaces_;
  const bool validate_only_;
  TopicRegistry::Change change_;
};

template <class Request, class Response>
void alter(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<Request>(request.body(), request.version());
  if (!body) return answer.close();
  Alteration alteration(core, request, std::is_same_v<Request, AlterConfigsRequest>,
                        body->validate_only);
  std::map<std::pair<std::int8_t, std::string_view>, int> times;
  for (const auto& resource : body->resources) {
    ++times[{resource.resource_type, resource.resource_name}];
  }
  Response response;
  std::deque<std::string> texts;
  for (const auto& resource : body->resources) {
    auto& result = response.responses.emplace_back();
    result.resource_type = resource.resource_type;
    result.resource_name = resource.resource_name;
    result.error_message.reset();
    const bool repeated = times[{resource.resource_type, resource.resource_name}] > 1;
    Verdict good =
        repeated ? Verdict(fault(Error::invalid_request, "Each resource must appear at most once."))
                 : alteration.run(to_incremental(resource));
    if (good) continue;
    result.error_code = protocol::code(good.error().error);
    result.error_message = texts.emplace_back(std::move(good.error().message));
  }
  if (!alteration.commit()) {
    for (auto& result : response.responses) {
      if (result.error_code == 0) result.error_code = protocol::code(Error::unknown_server_error);
    }
  }
  reply(request, answer, response);
}

}  // namespace

void handle_alter_configs(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  alter<AlterConfigsRequest, AlterConfigsResponse>(core, request, answer);
}

void handle_incremental_alter_configs(Core& core, const sdk::Request& request,
                                      sdk::Answer& answer) {
  alter<IncrementalAlterConfigsRequest, IncrementalAlterConfigsResponse>(core, request, answer);
}

}  // namespace muster::embedded
