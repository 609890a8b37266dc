// AlterReplicaLogDirs: a replica has no other directory to go to.
#include "apis/handlers.hpp"

#include <map>
#include <vector>

#include <muster/protocol/messages/alter_replica_log_dirs_request.hpp>
#include <muster/protocol/messages/alter_replica_log_dirs_response.hpp>

namespace muster::embedded {

void handle_alter_replica_log_dirs(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body =
      protocol::decode<protocol::AlterReplicaLogDirsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  const Error error = core.may_cluster(request, sdk::Operation::alter)
                          ? Error::log_dir_not_found
                          : Error::cluster_authorization_failed;
  std::map<std::string_view, std::vector<std::int32_t>> asked;
  for (const auto& dir : body->dirs) {
    for (const auto& topic : dir.topics) {
      auto& partitions = asked[topic.name];
      partitions.insert(partitions.end(), topic.partitions.begin(), topic.partitions.end());
    }
  }
  protocol::AlterReplicaLogDirsResponse response;
  for (const auto& [name, partitions] : asked) {
    auto& topic = response.results.emplace_back();
    topic.topic_name = name;
    for (const std::int32_t index : partitions) {
      topic.partitions.push_back({index, protocol::code(error)});
    }
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
