// `muster topic`: topics of a running host. Owner: host/cli. Runs on the main thread.
#pragma once

#include "cli/remote_scope.hpp"

namespace muster::host {

struct NewTopic {
  std::string name;
  std::int32_t partitions = -1;          // -1: as the host is configured
  std::int16_t replication_factor = -1;  // the same
  std::vector<std::string> configs;      // NAME=VALUE
};

[[nodiscard]] ExitCode create_topic_command(const RemoteScope& scope, const NewTopic& topic,
                                            const Streams& streams);
[[nodiscard]] ExitCode list_topics_command(const RemoteScope& scope, const Streams& streams);
struct TopicAsked {
  std::string name;
  bool all_configs = false;
};
[[nodiscard]] ExitCode describe_topic_command(const RemoteScope& scope, const TopicAsked& asked,
                                              const Streams& streams);
[[nodiscard]] ExitCode delete_topic_command(const RemoteScope& scope, const std::string& name,
                                            const Streams& streams);

}  // namespace muster::host
