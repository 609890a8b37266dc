// A whole host: composed from a configuration, started, drained, stopped.
//
// Threads: [control]. Order of life: construct, start, (serve), stop.
#pragma once

#include "config/host_config.hpp"
#include "plugins/registry.hpp"

#include <memory>
#include <string>

namespace muster::host {

class Host {
 public:
  Host(HostConfig config, Composition composition);
  ~Host();
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  // Empty: it serves. Otherwise everything that is in the way, a sentence a line.
  [[nodiscard]] std::string start();
  // The bound port of the first listener; of the admin listener (0: off).
  std::uint16_t port() const;
  std::uint16_t admin_port() const;
  // Answers what is owed, refuses what waits, closes. At most `deadline_ms`.
  void drain(std::int64_t deadline_ms);
  // Ends all threads and lets go of the plugins. False: somebody is still inside a plugin after
  // `deadline_ms`; then nothing may be torn down and only the process can end.
  [[nodiscard]] bool stop(std::int64_t deadline_ms);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Runs a host until SIGTERM or SIGINT; the exit code for main.
int serve(const HostConfig& config);

}  // namespace muster::host
