// DescribeLogDirs: the one folder there is, and how many bytes each partition has in it.
#include "apis/handlers.hpp"

#include <map>
#include <set>
#include <string>

#include <muster/protocol/messages/describe_log_dirs_request.hpp>
#include <muster/protocol/messages/describe_log_dirs_response.hpp>

namespace muster::embedded {
namespace {

using protocol::DescribeLogDirsRequest;
using protocol::DescribeLogDirsResponse;
using Directory = DescribeLogDirsResponse::DescribeLogDirsResult;

void add(const Topic& topic, const std::set<std::int32_t>* only, Directory& directory) {
  DescribeLogDirsResponse::DescribeLogDirsTopic out;
  out.name = topic.name;
  for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    if (only != nullptr && !only->contains(index)) continue;
    auto& partition = out.partitions.emplace_back();
    partition.partition_index = index;
    partition.partition_size = topic.partitions[i]->log().bytes();
  }
  if (!out.partitions.empty()) directory.topics.push_back(std::move(out));
}

}  // namespace

void handle_describe_log_dirs(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<DescribeLogDirsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  DescribeLogDirsResponse response;
  if (!core.allowed(request, sdk::Operation::describe, sdk::Resource::cluster,
                    Core::cluster_name)) {
    response.error_code = protocol::code(Error::cluster_authorization_failed);
    return reply(request, answer, response);
  }
  const Topics topics = core.topics.current();
  const StoragePlace place = core.logs->place();
  Directory& directory = response.results.emplace_back();
  directory.log_dir = place.folder;
  directory.total_bytes = place.total_bytes;
  directory.usable_bytes = place.usable_bytes;
  if (body->topics) {
    std::map<std::string_view, std::set<std::int32_t>> asked;
    for (const auto& topic : *body->topics) {
      asked[topic.topic].insert(topic.partitions.begin(), topic.partitions.end());
    }
    for (const auto& [name, partitions] : asked) {
      if (const Topic* topic = topics->by_name(name)) add(*topic, &partitions, directory);
    }
  } else {
    for (const TopicPtr& topic : topics->all()) add(*topic, nullptr, directory);
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
