// DescribeConfigs of topics; the host answers for every other kind of resource.
#include "apis/handlers.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include <muster/protocol/messages/describe_configs_request.hpp>
#include <muster/protocol/messages/describe_configs_response.hpp>

#include "topics/topic_config_words.hpp"
#include "topics/topic_name.hpp"

namespace muster::embedded {
namespace {

using protocol::DescribeConfigsRequest;
using protocol::DescribeConfigsResponse;
using Resource = DescribeConfigsRequest::DescribeConfigsResource;
using Result = DescribeConfigsResponse::DescribeConfigsResult;

class Description {
 public:
  Description(Core& core, const sdk::Request& request, const DescribeConfigsRequest& body)
      : core_(core), request_(request), body_(body), topics_(core.topics.current()) {}

  DescribeConfigsResponse run() {
    for (const Resource& resource : body_.resources) {
      Result& result = response_.results.emplace_back();
      result.resource_type = resource.resource_type;
      result.resource_name = resource.resource_name;
      describe(resource, result);
    }
    return std::move(response_);
  }

 private:
  void describe(const Resource& resource, Result& result) {
    const std::string name(resource.resource_name);
    if (resource.resource_type != config_resource_topic) {
      return refuse(result, Error::invalid_request, "This broker describes topics only.");
    }
    if (!core_.may(request_, sdk::Operation::describe_configs, name)) {
      return refuse(result, Error::topic_authorization_failed, "Topic authorization failed.");
    }
    if (auto wrong = topic_name_fault(name)) {
      return refuse(result, Error::invalid_topic_exception, *std::move(wrong));
    }
    const Topic* topic = topics_->by_name(name);
    if (topic == nullptr) return refuse(result, Error::unknown_topic_or_partition, "");
    for (const ConfigEntry& entry : topic->config->entries(core_.topics.defaults())) {
      if (wanted(resource, entry.name)) show(entry, result.configs.emplace_back());
    }
  }

  static bool wanted(const Resource& resource, std::string_view name) {
    const auto& keys = resource.configuration_keys;
    return !keys || keys->empty() || std::ranges::find(*keys, name) != keys->end();
  }

  void show(const ConfigEntry& entry,
            DescribeConfigsResponse::DescribeConfigsResourceResult& shown) {
    shown.name = entry.name;
    shown.value = keep(TopicConfig::as_parsed(entry, entry.value));
    shown.config_source = static_cast<std::int8_t>(entry.described_source());
    shown.config_type = entry.type;
    shown.documentation.reset();
    if (body_.include_documentation) shown.documentation = words_of(entry.name).doc;
    if (!body_.include_synonyms) return;
    for (const ConfigSynonym& synonym : entry.synonyms) {
      shown.synonyms.push_back({synonym.name, keep(TopicConfig::as_parsed(entry, synonym.value)),
                                static_cast<std::int8_t>(synonym.source)});
    }
  }

  void refuse(Result& result, Error error, std::string why) {
    result.error_code = protocol::code(error);
    result.error_message = keep(std::move(why));
  }

  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }

  Core& core_;
  const sdk::Request& request_;
  const DescribeConfigsRequest& body_;
  const Topics topics_;
  DescribeConfigsResponse response_;
  std::deque<std::string> texts_;  // the response only points to them
};

}  // namespace

void handle_describe_configs(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<DescribeConfigsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  Description description(core, request, *body);
  reply(request, answer, description.run());
}

}  // namespace muster::embedded
