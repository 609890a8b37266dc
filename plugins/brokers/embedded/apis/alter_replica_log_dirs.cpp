// AlterReplicaLogDirs: a replica stays in the one directory there is, which is where it may go.
#include "apis/handlers.hpp"

#include <map>
#include <string>

#include <muster/protocol/messages/alter_replica_log_dirs_request.hpp>
#include <muster/protocol/messages/alter_replica_log_dirs_response.hpp>

namespace muster::embedded {
namespace {

using protocol::AlterReplicaLogDirsRequest;

// Kafka moves a replica through a folder of the name TOPIC-PARTITION.HEX-future.
constexpr std::size_t longest_folder_name = 255;
constexpr std::size_t hex_length = 32;

bool is_too_long(std::string_view topic, std::int32_t partition) {
  constexpr std::string_view marks = "-.-future";
  const std::size_t digits = std::to_string(partition).size();
  return topic.size() + digits + hex_length + marks.size() > longest_folder_name;
}

struct Move {
  std::string_view topic;
  std::int32_t partition;
  std::string_view folder;
};

// In Kafka's order.
Error judge(const Move& move, const TopicSet& topics, std::string_view only_folder) {
  if (is_too_long(move.topic, move.partition)) return Error::invalid_topic_exception;
  if (move.folder != only_folder) return Error::log_dir_not_found;
  const Topic* topic = topics.by_name(move.topic);
  const bool known = topic != nullptr && move.partition >= 0 &&
                     static_cast<std::size_t>(move.partition) < topic->partitions.size();
  return known ? Error::none : Error::unknown_topic_or_partition;
}

}  // namespace

void handle_alter_replica_log_dirs(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body =
      protocol::decode<AlterReplicaLogDirsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  const bool allowed = core.may_cluster(request, sdk::Operation::alter);
  // Of several directories for one replica the last counts.
  std::map<std::string_view, std::map<std::int32_t, std::string_view>> asked;
  for (const auto& dir : body->dirs) {
    for (const auto& topic : dir.topics) {
      for (const std::int32_t index : topic.partitions) asked[topic.name][index] = dir.path;
    }
  }
  const Topics topics = core.topics.current();
  const std::string folder = core.logs->place().folder;
  protocol::AlterReplicaLogDirsResponse response;
  for (const auto& [name, partitions] : asked) {
    auto& topic = response.results.emplace_back();
    topic.topic_name = name;
    for (const auto& [index, wanted] : partitions) {
      const Error error = allowed ? judge({name, index, wanted}, *topics, folder)
                                  : Error::cluster_authorization_failed;
      topic.partitions.push_back({index, protocol::code(error)});
    }
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
