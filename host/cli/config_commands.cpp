// serve and check.
#include "cli/commands.hpp"

#include "plugins/registry.hpp"

#include <algorithm>
#include <ostream>

namespace muster::host {
namespace {

ExitCode complain(const ConfigErrors& errors, const Streams& streams) {
  streams.err << errors.to_string() << "\n";
  return exit_code_of(errors);
}

}  // namespace

ExitCode exit_code_of(const ConfigErrors& errors) {
  const bool plugin = std::ranges::any_of(errors.errors, &ConfigError::about_plugin);
  return plugin ? ExitCode::plugin : ExitCode::configuration;
}

ExitCode serve_command(const ConfigSource& source, const CliHooks& hooks, const Streams& streams) {
  const auto config = load_config(source);
  if (!config) return complain(config.error(), streams);
  return static_cast<ExitCode>(hooks.serve(*config));
}

ExitCode check_command(const ConfigSource& source, const Streams& streams) {
  const auto config = load_config(source);
  if (!config) return complain(config.error(), streams);
  const auto composition = compose(*config, registry_environment(*config));
  if (!composition) return complain(composition.error(), streams);
  for (const PluginStatus& status : composition->registry->statuses()) {
    if (status.state != LoadState::refused) continue;
    streams.err << "optional plugin '" << status.definition << "' is left out: " << status.why
                << "\n";
  }
  streams.out << config->source << ": good\n";
  return ExitCode::ok;
}

}  // namespace muster::host
