// AlterConfigs and IncrementalAlterConfigs of topics; the host answers for every other kind of
// resource. Checks are in Kafka's order.
#include "apis/handlers.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

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

// A list that is not set yet is edited from Kafka's default, whatever the broker's own is.
Verdict edit_list(const Config& config, ConfigOverrides& configs) {
  const bool appends = operation(config) == Operation::append;
  if (!TopicConfig::is_list(config.name)) {
    return fault(Error::invalid_config,
                 sdk::text("Can't ", appends ? "APPEND" : "SUBTRACT", " to key ", config.name,
                           " because its type is not LIST."));
  }
  const auto own = configs.find(config.name);
  std::vector<std::string> items = TopicConfig::list_items(
      own == configs.end() ? TopicConfig::standard_value(config.name) : own->second);
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

  // What is refused without a look at what there is.
  Verdict admit(const Resource& resource) const {
    if (auto good = check_form(resource); !good) return good;
    if (resource.resource_type != config_resource_topic) {
      return fault(Error::invalid_request, "This broker alters topics only.");
    }
    if (!core_.may(request_, sdk::Operation::alter_configs, std::string(resource.resource_name))) {
      return fault(Error::topic_authorization_failed, "Topic authorization failed.");
    }
    return {};
  }

  // Of one that was admitted.
  Verdict run(const Resource& resource) {
    const std::string name(resource.resource_name);
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
    if (!done) core_.report("topic configs could not be stored: ", done.error());
    return done.has_value();
  }

 private:
  std::expected<TopicConfig, TopicFault> altered(const Resource& resource,
                                                 const Topic* topic) const {
    ConfigOverrides configs;
    if (topic != nullptr && !replaces_) configs = topic->config->overrides();
    for (const Config& config : resource.configs) {
      if (auto good = apply(config, configs); !good) {
        return std::unexpected(std::move(good.error()));
      }
    }
    auto made = TopicConfig::make(std::move(configs), core_.topics.defaults());
    if (!made) return fault(Error::invalid_config, std::move(made.error()));
    return *std::move(made);
  }

  static Verdict apply(const Config& config, ConfigOverrides& configs) {
    switch (operation(config)) {
      case Operation::set:
        configs.insert_or_assign(std::string(config.name), std::string(*config.value));
        return {};
      case Operation::remove: configs.erase(std::string(config.name)); return {};
      case Operation::append:
      case Operation::subtract: break;
    }
    return edit_list(config, configs);
  }

  Core& core_;
  const sdk::Request& request_;
  const bool replaces_;
  const bool validate_only_;
  TopicRegistry::Change change_;
};

// Kafka's controller stumbles over an operation that it does not know, and with it over everything
// else that it was asked to alter.
bool stumbles(const Resource& resource) {
  return std::ranges::any_of(resource.configs, [](const Config& config) {
    return operation(config) < Operation::set || operation(config) > Operation::subtract;
  });
}

// A verdict a resource.
std::vector<Verdict> alter_all(Alteration& alteration, const std::vector<Resource>& resources) {
  std::map<std::pair<std::int8_t, std::string_view>, int> times;
  for (const Resource& resource : resources) {
    ++times[{resource.resource_type, resource.resource_name}];
  }
  std::vector<Verdict> verdicts;
  bool stumbled = false;
  for (const Resource& resource : resources) {
    if (times[{resource.resource_type, resource.resource_name}] > 1) {
      verdicts.push_back(
          fault(Error::invalid_request, "Each resource must appear at most once."));
    } else {
      verdicts.push_back(alteration.admit(resource));
    }
    stumbled |= verdicts.back() && stumbles(resource);
  }
  for (std::size_t i = 0; i < resources.size(); ++i) {
    if (!verdicts[i]) continue;
    verdicts[i] = stumbled ? fault(Error::unknown_server_error, "") : alteration.run(resources[i]);
  }
  return verdicts;
}

template <class Request, class Response>
void alter(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<Request>(request.body(), request.version());
  if (!body) return answer.close();
  std::vector<Resource> resources;
  for (const auto& resource : body->resources) resources.push_back(to_incremental(resource));
  Alteration alteration(core, request, std::is_same_v<Request, AlterConfigsRequest>,
                        body->validate_only);
  std::vector<Verdict> verdicts = alter_all(alteration, resources);
  const bool stored = alteration.commit();
  Response response;
  for (std::size_t i = 0; i < resources.size(); ++i) {
    auto& result = response.responses.emplace_back();
    result.resource_type = resources[i].resource_type;
    result.resource_name = resources[i].resource_name;
    result.error_message.reset();
    if (verdicts[i]) {
      if (!stored) result.error_code = protocol::code(Error::unknown_server_error);
      continue;
    }
    const TopicFault& why = verdicts[i].error();
    result.error_code = protocol::code(why.error);
    if (!why.message.empty()) result.error_message = why.message;
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
