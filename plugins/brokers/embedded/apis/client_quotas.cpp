// DescribeClientQuotas, AlterClientQuotas: there are none, and none can be set.
#include "apis/handlers.hpp"
#include "apis/topic_creation.hpp"

#include <algorithm>
#include <deque>
#include <set>

#include <muster/sdk/text.hpp>

#include <muster/protocol/messages/alter_client_quotas_request.hpp>
#include <muster/protocol/messages/alter_client_quotas_response.hpp>
#include <muster/protocol/messages/describe_client_quotas_request.hpp>
#include <muster/protocol/messages/describe_client_quotas_response.hpp>

namespace muster::embedded {
namespace {

using protocol::AlterClientQuotasRequest;
using protocol::AlterClientQuotasResponse;
using protocol::DescribeClientQuotasRequest;
using protocol::DescribeClientQuotasResponse;

constexpr std::string_view entity_types[] = {"user", "client-id", "ip"};
constexpr std::string_view quota_keys[] = {"producer_byte_rate", "consumer_byte_rate",
                                           "request_percentage", "controller_mutation_rate",
                                           "connection_creation_rate"};

enum class Match : std::int8_t { exact = 0, standard = 1, specified = 2 };

bool contains(std::span<const std::string_view> all, std::string_view one) {
  return std::ranges::find(all, one) != all.end();
}

TopicFault invalid(std::string why) { return {Error::invalid_request, std::move(why)}; }

TopicFault component_fault(const DescribeClientQuotasRequest::ComponentData& component) {
  if (component.entity_type.empty()) return invalid("Invalid empty entity type.");
  const bool named = component.match.has_value();
  switch (static_cast<Match>(component.match_type)) {
    case Match::exact:
      if (named) break;
      return invalid("Request specified MATCH_TYPE_EXACT, but set match string to null.");
    case Match::standard:
      if (!named) break;
      return invalid("Request specified MATCH_TYPE_DEFAULT, but also specified a match string.");
    case Match::specified:
      if (!named) break;
      return invalid("Request specified MATCH_TYPE_SPECIFIED, but also specified a match string.");
    default:
      return invalid(sdk::text("Unknown match type ", static_cast<int>(component.match_type)));
  }
  if (contains(entity_types, component.entity_type)) return {};
  return {Error::unsupported_version, sdk::text("Unsupported entity type ", component.entity_type)};
}

TopicFault filter_fault(const DescribeClientQuotasRequest& filter) {
  std::set<std::string_view> types;
  for (const auto& component : filter.components) {
    if (auto fault = component_fault(component); fault.error != Error::none) return fault;
    if (!types.insert(component.entity_type).second) {
      return invalid(sdk::text("Entity type ", component.entity_type,
                               " cannot appear more than once in the filter."));
    }
  }
  if (types.contains("ip") && types.size() > 1) {
    return invalid(
        "Invalid entity filter component combination. IP filter component should not be "
        "used with user or clientId filter component.");
  }
  return {};
}

TopicFault alteration_fault(const AlterClientQuotasRequest::EntryData& entry) {
  if (entry.entity.empty()) return invalid("Invalid empty client quota entity");
  for (const auto& part : entry.entity) {
    if (!contains(entity_types, part.entity_type)) {
      return invalid(sdk::text("Unhandled client quota entity type: ", part.entity_type));
    }
  }
  for (const auto& op : entry.ops) {
    if (!contains(quota_keys, op.key)) {
      return invalid(sdk::text("Invalid configuration key ", op.key));
    }
  }
  const bool sets = std::ranges::any_of(entry.ops, [](const auto& op) { return !op.remove; });
  if (!sets) return {};
  return {Error::unsupported_version, "Client quotas are not supported by this broker."};
}

}  // namespace

void handle_describe_client_quotas(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body =
      protocol::decode<DescribeClientQuotasRequest>(request.body(), request.version());
  if (!body) return answer.close();
  const bool allowed = core.may_cluster(request, sdk::Operation::describe_configs);
  const TopicFault fault =
      allowed ? filter_fault(*body)
              : TopicFault{Error::cluster_authorization_failed, std::string(cluster_denied)};
  DescribeClientQuotasResponse response;
  response.error_code = protocol::code(fault.error);
  response.error_message = fault.message;
  if (fault.error != Error::none) response.entries.reset();
  reply(request, answer, response);
}

void handle_alter_client_quotas(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<AlterClientQuotasRequest>(request.body(), request.version());
  if (!body) return answer.close();
  const bool allowed = core.may_cluster(request, sdk::Operation::alter_configs);
  AlterClientQuotasResponse response;
  std::deque<std::string> texts;
  for (const auto& entry : body->entries) {
    TopicFault fault =
        allowed ? alteration_fault(entry)
                : TopicFault{Error::cluster_authorization_failed, std::string(cluster_denied)};
    auto& result = response.entries.emplace_back();
    result.error_code = protocol::code(fault.error);
    result.error_message.reset();
    if (fault.error != Error::none) {
      result.error_message = texts.emplace_back(std::move(fault.message));
    }
    for (const auto& part : entry.entity) {
      result.entity.push_back({part.entity_type, part.entity_name});
    }
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
