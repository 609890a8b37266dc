// `muster serve`: a host in the foreground until a signal ends it.
#include "cli/cli.hpp"
#include "service/host.hpp"

#include <csignal>
#include <cstdio>

namespace muster::host {
namespace {

constexpr std::int64_t drain_deadline_ms = 10000;

}  // namespace

int serve(const HostConfig& config) {
  // Blocked before any thread exists, so that every thread inherits it and only sigwait sees them.
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  std::signal(SIGPIPE, SIG_IGN);

  Host host(config);
  if (const std::string why = host.start(); !why.empty()) {
    std::fprintf(stderr, "%s\n", why.c_str());
    return static_cast<int>(ExitCode::failed);
  }
  std::printf("listening on %s:%u\n", config.listeners.front().bind.host.c_str(), host.port());
  if (host.admin_port() != 0) {
    std::printf("admin on %s:%u\n", config.admin->host.c_str(), host.admin_port());
  }
  std::fflush(stdout);
  int signal = 0;
  sigwait(&ends, &signal);
  host.drain(drain_deadline_ms);
  return static_cast<int>(ExitCode::ok);
}

}  // namespace muster::host
