// What each command does, apart from how its arguments are read. Owner: host/cli.
#pragma once

#include "cli/cli.hpp"

#include <filesystem>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace muster::host {

struct Streams {
  std::ostream& out;
  std::ostream& err;
};

// What `muster plugin` looks at: the plugins of a configuration, or of folders, or of the default
// search path.
struct PluginScope {
  std::optional<std::filesystem::path> config;
  std::vector<std::filesystem::path> folders;
};

[[nodiscard]] ExitCode serve_command(const ConfigSource& source, const CliHooks& hooks,
                                     const Streams& streams);
[[nodiscard]] ExitCode check_command(const ConfigSource& source, const Streams& streams);
[[nodiscard]] ExitCode list_command(const PluginScope& scope, const Streams& streams);
[[nodiscard]] ExitCode describe_command(const PluginScope& scope, const std::string& id,
                                        const Streams& streams);
[[nodiscard]] ExitCode options_command(const PluginScope& scope, const std::string& id,
                                       const Streams& streams);
[[nodiscard]] ExitCode probe_command(const std::filesystem::path& library, bool here,
                                     const Streams& streams);

}  // namespace muster::host
