// The command line: serve, check, topic ..., group ..., plugin ..., version. Owner: host/cli. Runs
// on the main thread.
#pragma once

#include "config/host_config.hpp"

#include <functional>
#include <iosfwd>

namespace muster::host {

// Exit codes, as docs/configuration.md lists them.
enum class ExitCode : int {
  ok = 0,
  failed = 1,         // it ran and failed
  usage = 2,          // the command line makes no sense
  configuration = 3,  // the configuration is wrong
  plugin = 4,         // a plugin was refused
  unreachable = 5,    // no host answers where the command looked for one
};

struct CliHooks {
  // Runs the host until it is told to stop; returns the exit code.
  std::function<int(const HostConfig& config)> serve;
  std::ostream* out = nullptr;  // standard output if NULL
  std::ostream* err = nullptr;  // standard error if NULL
};

// What a refused configuration ends the process with.
[[nodiscard]] ExitCode exit_code_of(const ConfigErrors& errors);

[[nodiscard]] int run_cli(int argc, const char* const* argv, const CliHooks& hooks);

}  // namespace muster::host
