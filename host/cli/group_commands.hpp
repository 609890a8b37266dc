// `muster group`: groups of a running host. Owner: host/cli. Runs on the main thread.
#pragma once

#include "cli/remote_scope.hpp"

namespace muster::host {

// Empty: all.
struct GroupFilter {
  std::vector<std::string> states;
  std::vector<std::string> types;
};

[[nodiscard]] ExitCode group_list_command(const RemoteScope& scope, const GroupFilter& filter,
                                          const Streams& streams);
[[nodiscard]] ExitCode group_describe_command(const RemoteScope& scope, const std::string& id,
                                              const Streams& streams);
[[nodiscard]] ExitCode group_offsets_command(const RemoteScope& scope, const std::string& id,
                                             const Streams& streams);
[[nodiscard]] ExitCode group_delete_command(const RemoteScope& scope, const std::string& id,
                                            const Streams& streams);

}  // namespace muster::host
