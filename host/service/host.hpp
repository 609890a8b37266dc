// A whole host: composed from a configuration, started, drained, stopped.
//
// Threads: [control]. Order of life: construct, start, (serve), stop.
#pragma once

#include "config/host_config.hpp"

#include <memory>
#include <string>

namespace muster::host {

class Host {
 public:
  explicit Host(HostConfig config);
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

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Runs a host until SIGTERM or SIGINT; the exit code for main.
int serve(const HostConfig& config);

}  // namespace muster::host
