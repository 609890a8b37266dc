#include "cli/remote_scope.hpp"

#include "cli/text_table.hpp"
#include "config/host_settings.hpp"

#include <muster/protocol/messages/list_offsets_request.hpp>
#include <muster/protocol/messages/list_offsets_response.hpp>

#include <ostream>

namespace muster::host {

Outcome<Target> target_of(const RemoteScope& scope) {
  Target target;
  target.patience = std::chrono::seconds(scope.timeout_s);
  if (!scope.server.empty()) {
    auto address = parse_address(scope.server);
    if (!address) return std::unexpected(Failure{"--server " + address.error(), ExitCode::usage});
    target.server = std::move(*address);
    return target;
  }
  if (!scope.data_dir.empty()) {
    target.data_dir = scope.data_dir;
    return target;
  }
  ConfigSource source;
  if (!scope.config_file.empty()) source.file = scope.config_file;
  auto config = load_config(source);
  if (!config) {
    return std::unexpected(Failure{config.error().to_string(), exit_code_of(config.error())});
  }
  target.data_dir = std::move(config->data_dir);
  return target;
}

Outcome<Client> connect(const RemoteScope& scope) {
  const auto target = target_of(scope);
  if (!target) return std::unexpected(target.error());
  return Client::connect(*target);
}

ExitCode complain(const Failure& failure, const Streams& streams) {
  if (failure.code == ExitCode::configuration) {
    streams.err << failure.what << "\n";  // several lines
  } else {
    streams.err << printable(failure.what) << "\n";
  }
  return failure.code;
}

Outcome<PartitionOffsets> list_offsets(Client& client, const TopicPartitions& partitions,
                                       std::int64_t timestamp) {
  PartitionOffsets offsets;
  protocol::ListOffsetsRequest request;
  request.replica_id = -1;
  request.timeout_ms = 5000;
  for (const auto& [name, indexes] : partitions) {
    auto& topic = request.topics.emplace_back();
    topic.name = name;
    for (const std::int32_t index : indexes) {
      auto& partition = topic.partitions.emplace_back();
      partition.partition_index = index;
      partition.timestamp = timestamp;
    }
  }
  if (request.topics.empty()) return offsets;
  const auto reply = client.ask<protocol::ListOffsetsResponse>(request);
  if (!reply) return std::unexpected(reply.error());
  for (const auto& topic : reply->message.topics) {
    for (const auto& partition : topic.partitions) {
      auto& offset = offsets[{std::string(topic.name), partition.partition_index}];
      if (partition.error_code == 0) {
        offset = partition.offset;
      } else {
        offset = std::unexpected(error_name(partition.error_code));
      }
    }
  }
  return offsets;
}

}  // namespace muster::host
