// CreateTopics. Good topics of a request are made together, bad ones are told why not.
#include "apis/handlers.hpp"
#include "apis/topic_creation.hpp"

#include <deque>
#include <map>
#include <utility>
#include <vector>

#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/create_topics_response.hpp>
#include <muster/sdk/text.hpp>

#include "topics/topic_name.hpp"

namespace muster::embedded {
namespace {

using protocol::CreateTopicsRequest;
using protocol::CreateTopicsResponse;

WantedTopic to_wanted(const CreateTopicsRequest::CreatableTopic& asked) {
  WantedTopic wanted;
  wanted.name = asked.name;
  wanted.partition_count = asked.num_partitions;
  wanted.replication_factor = asked.replication_factor;
  for (const auto& assignment : asked.assignments) {
    wanted.assignments.push_back({assignment.partition_index, assignment.broker_ids});
  }
  for (const auto& config : asked.configs) {
    if (config.value) {
      wanted.configs.insert_or_assign(std::string(config.name), std::string(*config.value));
    } else {
      wanted.null_configs.emplace_back(config.name);
    }
  }
  return wanted;
}

class Creation {
 public:
  Creation(Core& core, const sdk::Request& request, const CreateTopicsRequest& body)
      : core_(core), request_(request), body_(body), change_(core.topics.change()) {}

  CreateTopicsResponse run() {
    if (too_many()) return all_refused("Excessively large number of partitions per request.");
    std::map<std::string_view, int> times;
    for (const auto& asked : body_.topics) ++times[asked.name];
    const bool may_create_all = core_.allowed(request_, sdk::Operation::create,
                                              sdk::Resource::cluster, Core::cluster_name);
    for (const auto& asked : body_.topics) {
      int& count = times[asked.name];
      if (count == 0) continue;  // a repeated name was answered once
      if (count > 1) {
        refuse(asked.name, {Error::invalid_request, "Duplicate topic name."});
        count = 0;
      } else if (asked.name == cluster_metadata_topic) {
        refuse(asked.name, {Error::invalid_request,
                            sdk::text("Creation of internal topic ", asked.name,
                                      " is prohibited.")});
      } else if (!may_create_all && !core_.may(request_, sdk::Operation::create, asked.name)) {
        refuse(asked.name, {Error::topic_authorization_failed, "Authorization failed."});
      } else {
        create(asked);
      }
    }
    return commit();
  }

 private:
  using Result = CreateTopicsResponse::CreatableTopicResult;

  bool too_many() const {
    std::int64_t total = 0;
    for (const auto& asked : body_.topics) {
      if (!asked.assignments.empty()) {
        total += static_cast<std::int64_t>(asked.assignments.size());
      } else if (asked.num_partitions == -1) {
        total += core_.settings.num_partitions;
      } else if (asked.num_partitions > 0) {
        total += asked.num_partitions;
      }
    }
    return total > max_partitions_per_request;
  }

  CreateTopicsResponse all_refused(std::string_view why) {
    for (const auto& asked : body_.topics) {
      refuse(asked.name, {Error::policy_violation, std::string(why)});
    }
    return std::move(response_);
  }

  void create(const CreateTopicsRequest::CreatableTopic& asked) {
    const WantedTopic wanted = to_wanted(asked);
    auto topic = judge_topic(core_, change_, wanted);
    if (!topic) return refuse(asked.name, std::move(topic.error()));
    Result& result = response_.topics.emplace_back();
    result.name = asked.name;
    result.topic_id = topic->id;
    result.error_message.reset();
    if (core_.may(request_, sdk::Operation::describe_configs, asked.name)) {
      result.num_partitions = topic->partition_count;
      result.replication_factor = 1;
      show_configs(topic->config, result);
    } else {
      result.topic_config_error_code = protocol::code(Error::topic_authorization_failed);
    }
    if (!body_.validate_only) change_.create(*std::move(topic));
  }

  void show_configs(const TopicConfig& config, Result& result) {
    constexpr std::int16_t first_with_configs = 5;
    if (request_.version() < first_with_configs) return;
    result.configs.emplace();
    for (ConfigEntry& entry : config.entries(core_.topics.defaults())) {
      const std::string& value = texts_.emplace_back(std::move(entry.value));
      auto& shown = result.configs->emplace_back();
      shown.name = entry.name;
      shown.value = value;
      shown.config_source = static_cast<std::int8_t>(entry.source);
    }
  }

  void refuse(std::string_view name, TopicFault fault) {
    Result& result = response_.topics.emplace_back();
    result.name = name;
    result.error_code = protocol::code(fault.error);
    result.error_message = texts_.emplace_back(std::move(fault.message));
  }

  CreateTopicsResponse commit() {
    if (auto done = change_.commit(); !done) {
      core_.report("topics could not be created: ", done.error());
      for (Result& result : response_.topics) {
        if (result.error_code == 0) {
          result.error_code = protocol::code(Error::unknown_server_error);
        }
      }
    }
    return std::move(response_);
  }

  Core& core_;
  const sdk::Request& request_;
  const CreateTopicsRequest& body_;
  TopicRegistry::Change change_;
  CreateTopicsResponse response_;
  std::deque<std::string> texts_;  // the response only points to them
};

}  // namespace

void handle_create_topics(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<CreateTopicsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  Creation creation(core, request, *body);
  reply(request, answer, creation.run());
}

}  // namespace muster::embedded
