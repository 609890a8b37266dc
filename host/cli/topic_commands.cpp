#include "cli/topic_commands.hpp"

#include "cli/text_table.hpp"
#include "cli/topic_report.hpp"
#include "config/nearest_name.hpp"

#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/create_topics_response.hpp>
#include <muster/protocol/messages/delete_topics_request.hpp>
#include <muster/protocol/messages/delete_topics_response.hpp>
#include <muster/protocol/messages/describe_configs_request.hpp>
#include <muster/protocol/messages/describe_configs_response.hpp>
#include <muster/protocol/messages/metadata_request.hpp>
#include <muster/protocol/messages/metadata_response.hpp>

#include <nlohmann/json.hpp>

#include <ostream>

namespace muster::host {
namespace {

using protocol::Error;
using protocol::MetadataResponse;

constexpr std::int8_t topic_resource = 2;
constexpr std::int8_t dynamic_topic_config = 1;  // the source of what is set on a topic itself
constexpr std::int32_t request_timeout_ms = 10000;

Form form_of(const RemoteScope& scope) { return scope.json ? Form::json : Form::text; }

TopicRow row_of(const MetadataResponse::MetadataResponseTopic& topic) {
  return {std::string(topic.name.value_or("")), topic.topic_id.to_string(), topic.partitions.size(),
          topic.is_internal};
}

// All topics by name, or one; nothing is created by asking.
Outcome<Reply<MetadataResponse>> metadata(Client& client, const std::string* name) {
  protocol::MetadataRequest request;
  request.allow_auto_topic_creation = false;
  if (name == nullptr) {
    request.topics = std::nullopt;
  } else {
    request.topics->emplace_back().name = *name;
  }
  return client.ask<MetadataResponse>(request);
}

Outcome<std::vector<TopicRow>> all_topics(Client& client) {
  const auto reply = metadata(client, nullptr);
  if (!reply) return std::unexpected(reply.error());
  std::vector<TopicRow> topics;
  for (const auto& topic : reply->message.topics) topics.push_back(row_of(topic));
  std::ranges::sort(topics, {}, &TopicRow::name);
  return topics;
}

Failure unknown_topic(Client& client, const std::string& name) {
  Failure failure{"there is no topic '" + name + "'"};
  const auto topics = all_topics(client);
  std::vector<std::string> names;
  if (topics) {
    for (const TopicRow& topic : *topics) names.push_back(topic.name);
  }
  failure.what += did_you_mean(name, names);
  return failure;
}

Failure topic_failure(Client& client, const std::string& name, const Failure& otherwise,
                      std::int16_t error) {
  if (error == protocol::code(Error::unknown_topic_or_partition)) {
    return unknown_topic(client, name);
  }
  return otherwise;
}

Outcome<void> read_offsets(Client& client, TopicDescription& description) {
  TopicPartitions asked;
  for (const PartitionRow& row : description.partitions) {
    asked[description.topic.name].push_back(row.partition);
  }
  const auto start = list_offsets(client, asked, earliest_timestamp);
  if (!start) return std::unexpected(start.error());
  const auto end = list_offsets(client, asked, latest_timestamp);
  if (!end) return std::unexpected(end.error());
  for (PartitionRow& row : description.partitions) {
    const std::pair key(description.topic.name, row.partition);
    if (const auto at = start->find(key); at != start->end()) row.start = at->second;
    if (const auto at = end->find(key); at != end->end()) row.end = at->second;
  }
  return {};
}

// A host that does not tell configs is no reason to say nothing of the topic.
void read_configs(Client& client, TopicDescription& description) {
  protocol::DescribeConfigsRequest request;
  auto& resource = request.resources.emplace_back();
  resource.resource_type = topic_resource;
  resource.resource_name = description.topic.name;
  resource.configuration_keys = std::nullopt;
  const auto reply = client.ask<protocol::DescribeConfigsResponse>(request);
  if (!reply) {
    description.configs_unknown = reply.error().what;
    return;
  }
  for (const auto& result : reply->message.results) {
    if (result.error_code != 0) {
      description.configs_unknown =
          kafka_failure("DescribeConfigs", result.error_code, result.error_message).what;
      return;
    }
    for (const auto& config : result.configs) {
      ConfigRow& row = description.configs.emplace_back();
      row.name = config.name;
      if (config.value) row.value = std::string(*config.value);
      row.set_on_topic = config.config_source == dynamic_topic_config;
    }
  }
  std::ranges::sort(description.configs, {}, &ConfigRow::name);
}

Outcome<TopicDescription> describe(Client& client, const std::string& name) {
  const auto reply = metadata(client, &name);
  if (!reply) return std::unexpected(reply.error());
  if (reply->message.topics.empty()) return std::unexpected(unknown_topic(client, name));
  const auto& topic = reply->message.topics.front();
  if (topic.error_code != 0) {
    const Failure otherwise =
        kafka_failure("cannot describe topic '" + name + "'", topic.error_code);
    return std::unexpected(topic_failure(client, name, otherwise, topic.error_code));
  }
  TopicDescription description;
  description.topic = row_of(topic);
  for (const auto& partition : topic.partitions) {
    PartitionRow& row = description.partitions.emplace_back();
    row.partition = partition.partition_index;
    row.leader = partition.leader_id;
    row.replicas = partition.replica_nodes;
    row.in_sync = partition.isr_nodes;
  }
  std::ranges::sort(description.partitions, {}, &PartitionRow::partition);
  if (auto read = read_offsets(client, description); !read) return std::unexpected(read.error());
  read_configs(client, description);
  return description;
}

Outcome<TopicRow> create(Client& client, const NewTopic& topic) {
  protocol::CreateTopicsRequest request;
  request.timeout_ms = request_timeout_ms;
  auto& wanted = request.topics.emplace_back();
  wanted.name = topic.name;
  wanted.num_partitions = topic.partitions;
  wanted.replication_factor = topic.replication_factor;
  for (const std::string& config : topic.configs) {
    const std::size_t sign = config.find('=');
    wanted.configs.push_back(
        {std::string_view(config).substr(0, sign), std::string_view(config).substr(sign + 1)});
  }
  const auto reply = client.ask<protocol::CreateTopicsResponse>(request);
  if (!reply) return std::unexpected(reply.error());
  const std::string what = "cannot create topic '" + topic.name + "'";
  if (reply->message.topics.empty()) return std::unexpected(Failure{what + ": no answer about it"});
  const auto& result = reply->message.topics.front();
  if (result.error_code != 0) {
    return std::unexpected(kafka_failure(what, result.error_code, result.error_message));
  }
  return TopicRow{topic.name, result.topic_id.to_string(),
                  static_cast<std::size_t>(std::max(result.num_partitions, 0)), false};
}

Outcome<void> remove(Client& client, const std::string& name) {
  protocol::DeleteTopicsRequest request;
  request.timeout_ms = request_timeout_ms;
  request.topics.emplace_back().name = name;
  request.topic_names.push_back(name);  // where versions before 6 have it
  const auto reply = client.ask<protocol::DeleteTopicsResponse>(request);
  if (!reply) return std::unexpected(reply.error());
  const std::string what = "cannot delete topic '" + name + "'";
  if (reply->message.responses.empty()) {
    return std::unexpected(Failure{what + ": no answer about it"});
  }
  const auto& result = reply->message.responses.front();
  if (result.error_code == 0) return {};
  const Failure otherwise = kafka_failure(what, result.error_code, result.error_message);
  return std::unexpected(topic_failure(client, name, otherwise, result.error_code));
}

}  // namespace

ExitCode create_topic_command(const RemoteScope& scope, const NewTopic& topic,
                              const Streams& streams) {
  for (const std::string& config : topic.configs) {
    const std::size_t sign = config.find('=');
    if (sign != std::string::npos && sign != 0) continue;
    return complain({"--config must be NAME=VALUE, but is '" + config + "'", ExitCode::usage},
                    streams);
  }
  auto client = connect(scope);
  if (!client) return complain(client.error(), streams);
  const auto created = create(*client, topic);
  if (!created) return complain(created.error(), streams);
  if (scope.json) {
    const nlohmann::ordered_json json{
        {"name", created->name}, {"id", created->id}, {"partitions", created->partitions}};
    streams.out << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return ExitCode::ok;
  }
  streams.out << "created topic '" << printable(created->name) << "' with " << created->partitions
              << (created->partitions == 1 ? " partition" : " partitions") << "\n";
  return ExitCode::ok;
}

ExitCode list_topics_command(const RemoteScope& scope, const Streams& streams) {
  auto client = connect(scope);
  if (!client) return complain(client.error(), streams);
  const auto topics = all_topics(*client);
  if (!topics) return complain(topics.error(), streams);
  print(*topics, form_of(scope), streams.out);
  return ExitCode::ok;
}

ExitCode describe_topic_command(const RemoteScope& scope, const TopicAsked& asked,
                                const Streams& streams) {
  auto client = connect(scope);
  if (!client) return complain(client.error(), streams);
  const auto description = describe(*client, asked.name);
  if (!description) return complain(description.error(), streams);
  print(*description, {form_of(scope), asked.all_configs}, streams.out);
  return ExitCode::ok;
}

ExitCode delete_topic_command(const RemoteScope& scope, const std::string& name,
                              const Streams& streams) {
  auto client = connect(scope);
  if (!client) return complain(client.error(), streams);
  const auto removed = remove(*client, name);
  if (!removed) return complain(removed.error(), streams);
  if (scope.json) {
    const nlohmann::ordered_json json{{"deleted", name}};
    streams.out << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  } else {
    streams.out << "deleted topic '" << printable(name) << "'\n";
  }
  return ExitCode::ok;
}

}  // namespace muster::host
