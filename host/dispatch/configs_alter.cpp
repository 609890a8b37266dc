// The checks in Kafka's order: what its broker does before forwarding, then what its controller
// does.
#include "dispatch/configs_alter.hpp"

#include "config/option_value.hpp"

#include <algorithm>
#include <charconv>
#include <set>

namespace muster::host {
namespace {

using Request = protocol::IncrementalAlterConfigsRequest;
using Resource = Request::AlterConfigsResource;
using Config = Request::AlterableConfig;

// Kafka's AlterConfigOp.OpType.
enum class Operation : std::int8_t { set = 0, remove = 1, append = 2, subtract = 3 };

constexpr std::size_t most_value_bytes = 32767;

ResourceError invalid_request(std::string message) {
  return {Error::invalid_request, std::move(message)};
}

ResourceError invalid_config(std::string message) {
  return {Error::invalid_config, std::move(message)};
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// What AlterConfigs asks for, in the words of the other request.
Resource to_incremental(const protocol::AlterConfigsRequest::AlterConfigsResource& resource) {
  Resource out;
  out.resource_type = resource.resource_type;
  out.resource_name = resource.resource_name;
  for (const auto& config : resource.configs) {
    out.configs.push_back({config.name, static_cast<std::int8_t>(Operation::set), config.value});
  }
  return out;
}

class Alterer {
 public:
  // `replaces`: it is AlterConfigs.
  Alterer(ConfigContext& context, const Resource& resource, bool replaces)
      : context_(context), resource_(resource), replaces_(replaces) {}

  ResourceError run(Overrides& altered) {
    ResourceError verdict = check_form();
    if (verdict.error != Error::none) return verdict;
    const ResourceType type = resource_type(resource_.resource_type);
    // Kafka looks at these two before it asks whether the caller may.
    if (type == ResourceType::unknown || (replaces_ && type == ResourceType::broker_logger)) {
      return invalid_request("Unknown resource type " + std::to_string(resource_.resource_type));
    }
    if (type == ResourceType::broker) verdict = check_broker();
    if (verdict.error != Error::none) return verdict;
    verdict = authorize(context_, alter_configs_operation, type, resource_.resource_name);
    if (verdict.error != Error::none) return verdict;
    return alter(type, altered);
  }

 private:
  ResourceError check_form() const {
    std::set<std::string_view> names;
    std::vector<std::string> null_names;
    for (const Config& config : resource_.configs) {
      if (!names.insert(config.name).second) {
        return invalid_request("Error due to duplicate config keys");
      }
      if (!config.value && operation(config) != Operation::remove) {
        null_names.emplace_back(config.name);
      }
    }
    if (!null_names.empty()) {
      return invalid_request("Null value not supported for : " + joined(null_names));
    }
    return {};
  }

  ResourceError alter(ResourceType type, Overrides& altered) {
    switch (type) {
      case ResourceType::group: return alter_group(altered);
      case ResourceType::broker: return {};
      case ResourceType::broker_logger: return alter_broker_logger();
      case ResourceType::topic:
        if (resource_.resource_name.empty()) {
          return invalid_request("Default topic resources are not allowed.");
        }
        if (!context_.topic_exists(resource_.resource_name)) {
          return {Error::unknown_topic_or_partition,
                  "The topic '" + std::string(resource_.resource_name) + "' does not exist."};
        }
        return invalid_request("Unsupported resource type: TOPIC");
      default:
        if (resource_.resource_name.empty()) {
          return invalid_request("Subscription name can't be empty");
        }
        return invalid_request("Unsupported resource type: CLIENT_METRICS");
    }
  }

  ResourceError alter_group(Overrides& altered) {
    // Kafka's controller stumbles over it.
    if (unknown_operation() != nullptr) return {Error::unknown_server_error, std::nullopt};
    if (replaces_) altered.clear();
    for (const Config& config : resource_.configs) {
      const ResourceError verdict = apply(config, altered);
      if (verdict.error != Error::none) return verdict;
    }
    if (resource_.resource_name.empty()) {
      return invalid_request("Default group resources are not allowed.");
    }
    const auto good = context_.options.check_group(altered);
    return good ? ResourceError{} : invalid_config(good.error());
  }

  ResourceError apply(const Config& config, Overrides& altered) {
    const std::string name(config.name);
    switch (operation(config)) {
      case Operation::set: altered[name] = *config.value; return {};
      case Operation::remove: altered.erase(name); return {};
      case Operation::append: return edit_list(config, "APPEND", altered);
      case Operation::subtract: return edit_list(config, "SUBTRACT", altered);
    }
    return {};
  }

  const Config* unknown_operation() const {
    const auto at = std::ranges::find_if(resource_.configs, [](const Config& config) {
      return operation(config) < Operation::set || operation(config) > Operation::subtract;
    });
    return at == resource_.configs.end() ? nullptr : &*at;
  }

  // A list that is not set yet is edited from its default.
  ResourceError edit_list(const Config& config, const char* verb, Overrides& altered) {
    const OptionInfo* option = context_.options.find(config.name);
    if (option == nullptr || option->declaration->scope != MUSTER_OPTION_GROUP ||
        option->declaration->type != MUSTER_OPTION_LIST) {
      return invalid_config(std::string("Can't ") + verb + " to key " + std::string(config.name) +
                            " because its type is not LIST.");
    }
    const auto own = altered.find(config.name);
    std::vector<std::string> items = split_list(
        own == altered.end() ? context_.options.text(*option).value_or("") : own->second);
    std::erase(items, "");
    for (const std::string& item : split_list(*config.value)) {
      const auto at = std::ranges::find(items, item);
      if (operation(config) == Operation::append) {
        if (at == items.end()) items.push_back(item);
      } else if (at != items.end()) {
        items.erase(at);
      }
    }
    const std::string text = join_list(items);
    if (text.size() > most_value_bytes) {
      return invalid_config(
          "The configuration value cannot be added because it exceeds the maximum value size of " +
          std::to_string(most_value_bytes) + " bytes.");
    }
    altered[std::string(config.name)] = text;
    return {};
  }

  // No option of the host changes while it runs.
  ResourceError check_broker() const {
    if (!resource_.resource_name.empty()) {
      const ResourceError verdict = check_node_id();
      if (verdict.error != Error::none) return verdict;
    }
    if (const Config* config = unknown_operation()) {
      return invalid_request("Unknown operations type " +
                             std::to_string(config->config_operation));
    }
    std::vector<std::string> names;
    for (const Config& config : resource_.configs) {
      if (operation(config) != Operation::remove) names.emplace_back(config.name);
    }
    if (names.empty()) return {};
    return invalid_request("Cannot update these configs dynamically: [" + joined(names) + "]");
  }

  ResourceError alter_broker_logger() const {
    const ResourceError verdict = check_node_id();
    if (verdict.error != Error::none) return verdict;
    if (resource_.configs.empty()) return {};
    return invalid_config("Logger " + std::string(resource_.configs.front().name) +
                          " does not exist!");
  }

  ResourceError check_node_id() const {
    const std::string_view name = resource_.resource_name;
    std::int32_t id = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (error != std::errc() || end != name.data() + name.size()) {
      return invalid_request("Node id must be an integer, but it is: " + std::string(name));
    }
    if (id == context_.node_id) return {};
    return invalid_request("Unexpected broker id, expected " + std::to_string(context_.node_id) +
                           ", but received " + std::string(name));
  }

  static Operation operation(const Config& config) {
    return static_cast<Operation>(config.config_operation);
  }

  ConfigContext& context_;
  const Resource& resource_;
  const bool replaces_;
};

// Writes one resource's answer, and what is to be written if all is well.
template <class Response>
class Answers {
 public:
  Answers(ConfigContext& context, bool validate_only, bool duplicates)
      : context_(context), validate_only_(validate_only), duplicates_(duplicates) {}

  void add(const Resource& resource, bool replaces) {
    const Overrides& current = context_.overrides_of(resource.resource_name);
    Overrides altered = current;
    ResourceError verdict = duplicates_ ? invalid_request("Each resource must appear at most once.")
                                        : Alterer(context_, resource, replaces).run(altered);
    auto& response = out_.response.responses.emplace_back();
    response.resource_type = resource.resource_type;
    response.resource_name = resource.resource_name;
    response.error_code = code_of(verdict.error);
    response.error_message = std::nullopt;
    if (verdict.message) response.error_message = context_.keep(std::move(*verdict.message));
    const bool of_group = resource_type(resource.resource_type) == ResourceType::group;
    if (verdict.error == Error::none && of_group && !validate_only_ && altered != current) {
      out_.groups.push_back({std::string(resource.resource_name), std::move(altered)});
    }
  }
  Alteration<Response> take() { return std::move(out_); }

 private:
  ConfigContext& context_;
  const bool validate_only_;
  const bool duplicates_;
  Alteration<Response> out_;
};

}  // namespace

// More than one resource in a part: the same one named several times.
Alteration<protocol::IncrementalAlterConfigsResponse> alter_configs(ConfigContext& context,
                                                                    const Request& request) {
  Answers<protocol::IncrementalAlterConfigsResponse> answers(context, request.validate_only,
                                                             request.resources.size() > 1);
  for (const Resource& resource : request.resources) answers.add(resource, false);
  return answers.take();
}

Alteration<protocol::AlterConfigsResponse> alter_configs(
    ConfigContext& context, const protocol::AlterConfigsRequest& request) {
  Answers<protocol::AlterConfigsResponse> answers(context, request.validate_only,
                                                  request.resources.size() > 1);
  for (const auto& resource : request.resources) answers.add(to_incremental(resource), true);
  return answers.take();
}

}  // namespace muster::host
