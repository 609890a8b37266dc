// Which entries a resource has, and where each value comes from.
#include "dispatch/configs_describe.hpp"

#include <algorithm>
#include <charconv>

namespace muster::host {
namespace {

using Request = protocol::DescribeConfigsRequest;
using Resource = Request::DescribeConfigsResource;
using Response = protocol::DescribeConfigsResponse;
using Result = Response::DescribeConfigsResult;
using Entry = Response::DescribeConfigsResourceResult;
using Synonyms = std::vector<Response::DescribeConfigsSynonym>;

ResourceError invalid(std::string message) { return {Error::invalid_request, std::move(message)}; }

struct MetricsConfig {
  std::string_view name;
  std::string_view value;
  std::int8_t type;
  std::string_view doc;
};

// Kafka's configs of client metrics subscriptions.
constexpr MetricsConfig metrics_configs[] = {
    {"interval.ms", "300000", 3, "How often clients push their metrics"},
    {"match", "", 7, "Which clients push"},
    {"metrics", "", 7, "Prefixes of the names of the metrics that are pushed"},
};

class Describer {
 public:
  Describer(ConfigContext& context, const Request& request, const Resource& resource)
      : context_(context), request_(request), resource_(resource) {}

  Result run() {
    Result result;
    result.resource_type = resource_.resource_type;
    result.resource_name = resource_.resource_name;
    const ResourceType type = resource_type(resource_.resource_type);
    ResourceError verdict =
        authorize(context_, describe_configs_operation, type, resource_.resource_name);
    if (verdict.error == Error::none) verdict = fill(type, result.configs);
    result.error_code = code_of(verdict.error);
    if (verdict.message) result.error_message = context_.keep(std::move(*verdict.message));
    return result;
  }

 private:
  ResourceError fill(ResourceType type, std::vector<Entry>& entries) {
    switch (type) {
      case ResourceType::group: return fill_group(entries);
      case ResourceType::broker: return fill_broker(entries);
      case ResourceType::broker_logger: return check_broker_logger();
      case ResourceType::topic:
        if (!context_.topic_exists(resource_.resource_name)) {
          return {Error::unknown_topic_or_partition, std::nullopt};
        }
        return invalid("Unsupported resource type: TOPIC");
      case ResourceType::client_metrics:
        if (resource_.resource_name.empty()) {
          return invalid("Client metrics subscription name must not be empty");
        }
        fill_client_metrics(entries);
        return {};
      case ResourceType::unknown: break;
    }
    return invalid("Unexpected resource type UNKNOWN for resource " +
                   std::string(resource_.resource_name));
  }

  // Any group id can be described, whether there is such a group or not.
  ResourceError fill_group(std::vector<Entry>& entries) {
    if (resource_.resource_name.empty()) return invalid("Group name must not be empty");
    const Overrides& overrides = context_.overrides_of(resource_.resource_name);
    for (const OptionInfo& option : context_.options.all()) {
      if (!is_wanted(option, MUSTER_OPTION_GROUP)) continue;
      Synonyms synonyms = group_synonyms(option);
      const auto own = overrides.find(std::string_view(option.declaration->name));
      if (own == overrides.end()) {
        add(entries, option, context_.options.text(option), std::move(synonyms));
      } else {
        const std::string_view shown =
            context_.keep(context_.options.canonical_text(option, own->second));
        synonyms.insert(synonyms.begin(), {option.declaration->name, shown, group_source});
        add(entries, option, std::string(shown), std::move(synonyms));
      }
    }
    return {};
  }

  Synonyms group_synonyms(const OptionInfo& option) {
    if (option.declaration->default_of != nullptr) {
      return host_synonyms(*context_.options.find(option.declaration->default_of));
    }
    Synonyms synonyms;
    if (const auto standard = context_.options.default_text(option)) {
      synonyms.push_back({option.declaration->name, context_.keep(*standard), default_source});
    }
    return synonyms;
  }

  Synonyms host_synonyms(const OptionInfo& option) {
    Synonyms synonyms;
    if (context_.options.is_configured(option)) {
      synonyms.push_back({option.declaration->name,
                          context_.keep(context_.options.text(option).value_or("")),
                          static_broker_source});
    }
    if (const auto standard = context_.options.default_text(option)) {
      synonyms.push_back({option.declaration->name, context_.keep(*standard), default_source});
    }
    return synonyms;
  }

  // An empty name means the cluster-wide dynamic defaults, of which there are none.
  ResourceError fill_broker(std::vector<Entry>& entries) {
    if (resource_.resource_name.empty()) return {};
    ResourceError verdict = check_node_id(" or empty string, but");
    if (verdict.error != Error::none) return verdict;
    for (const OptionInfo& option : context_.options.all()) {
      if (!is_wanted(option, MUSTER_OPTION_HOST)) continue;
      add(entries, option, context_.options.text(option), host_synonyms(option));
      entries.back().read_only = true;
    }
    return {};
  }

  // As of a subscription that nobody made: there are no others.
  void fill_client_metrics(std::vector<Entry>& entries) const {
    for (const MetricsConfig& config : metrics_configs) {
      if (!is_asked_for(config.name)) continue;
      Entry& entry = entries.emplace_back();
      entry.name = config.name;
      entry.value = config.value;
      entry.config_source = default_source;
      entry.config_type = config.type;
      entry.documentation = std::nullopt;
      if (request_.include_documentation) entry.documentation = config.doc;
    }
  }

  ResourceError check_broker_logger() {
    if (resource_.resource_name.empty()) return invalid("Broker id must not be empty");
    return check_node_id(" but");
  }

  ResourceError check_node_id(std::string_view words) {
    const std::string_view name = resource_.resource_name;
    std::int32_t id = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (error != std::errc() || end != name.data() + name.size()) {
      return invalid("Broker id must be an integer, but it is: " + std::string(name));
    }
    if (id == context_.node_id) return {};
    return invalid("Unexpected broker id, expected " + std::to_string(context_.node_id) +
                   std::string(words) + " received " + std::string(name));
  }

  bool is_wanted(const OptionInfo& option, std::int32_t scope) const {
    const muster_option& declared = *option.declaration;
    if (declared.scope != scope || (declared.flags & MUSTER_OPTION_INTERNAL) != 0) return false;
    return is_asked_for(declared.name);
  }

  bool is_asked_for(std::string_view name) const {
    const auto& keys = resource_.configuration_keys;
    return !keys || keys->empty() || std::ranges::find(*keys, name) != keys->end();
  }

  void add(std::vector<Entry>& entries, const OptionInfo& option,
           const std::optional<std::string>& value, Synonyms synonyms) {
    const muster_option& declared = *option.declaration;
    Entry& entry = entries.emplace_back();
    entry.name = declared.name;
    entry.value = std::nullopt;
    if (value) entry.value = context_.keep(*value);
    entry.config_source = synonyms.empty() ? default_source : synonyms.front().source;
    if (request_.include_synonyms) entry.synonyms = std::move(synonyms);
    entry.config_type = static_cast<std::int8_t>(declared.config_type);
    entry.documentation = std::nullopt;
    if (request_.include_documentation && declared.doc != nullptr) {
      entry.documentation = declared.doc;
    }
  }

  ConfigContext& context_;
  const Request& request_;
  const Resource& resource_;
};

}  // namespace

Response describe_configs(ConfigContext& context, const Request& request) {
  Response response;
  for (const Resource& resource : request.resources) {
    response.results.push_back(Describer(context, request, resource).run());
  }
  return response;
}

}  // namespace muster::host
