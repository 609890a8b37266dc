// `muster serve`: a host in the foreground until a signal ends it.
//
// Threads: the caller's is [control]; one more only waits for signals.
#include "cli/cli.hpp"
#include "service/allocator.hpp"
#include "service/host.hpp"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <thread>

namespace muster::host {
namespace {

// Together the longest that SIGTERM takes: docs/configuration.md, "How it ends".
constexpr std::int64_t drain_deadline_ms = 10000;
constexpr std::int64_t stop_deadline_ms = 2000;

constexpr int ended_by_signal = 128;  // plus its number, as shells have it

// The first signal asks a serving host to end; any other one ends the process at once, so that
// neither a start that hangs nor a long drain has to be killed.
struct EndSignals {
  std::atomic<bool> serving{false};
  std::promise<void> asked;
};

// Signals are blocked before any thread exists, so that every thread inherits it and only sigwait
// sees them.
std::shared_ptr<EndSignals> watch_signals() {
  sigset_t ends;
  sigemptyset(&ends);
  sigaddset(&ends, SIGTERM);
  sigaddset(&ends, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ends, nullptr);
  std::signal(SIGPIPE, SIG_IGN);
  auto signals = std::make_shared<EndSignals>();
  std::thread([signals, ends] {
    for (;;) {
      int signal = 0;
      if (sigwait(&ends, &signal) != 0) continue;
      if (!signals->serving.exchange(false)) std::_Exit(ended_by_signal + signal);
      signals->asked.set_value();
    }
  }).detach();
  return signals;
}

// With somebody still inside a plugin nothing can be torn down. Nothing is lost by that: what was
// acknowledged is in the store, and the log is written line by line.
int end(Host& host, ExitCode code) {
  if (!host.stop(stop_deadline_ms)) {
    std::fflush(nullptr);
    std::_Exit(static_cast<int>(code));
  }
  return static_cast<int>(code);
}

}  // namespace

int serve(const HostConfig& config) {
  keep_little_freed_memory();
  const auto signals = watch_signals();
  auto composition = compose(config, registry_environment(config));
  if (!composition) {
    std::fprintf(stderr, "%s\n", composition.error().to_string().c_str());
    return static_cast<int>(exit_code_of(composition.error()));
  }
  Host host(config, std::move(*composition));
  if (const std::string why = host.start(); !why.empty()) {
    std::fprintf(stderr, "%s\n", why.c_str());
    return end(host, ExitCode::failed);
  }
  signals->serving = true;
  std::printf("listening on %s:%u\n", config.listeners.front().bind.host.c_str(), host.port());
  if (host.admin_port() != 0) {
    std::printf("admin on %s:%u\n", config.admin->host.c_str(), host.admin_port());
  }
  std::fflush(stdout);
  signals->asked.get_future().wait();
  host.drain(drain_deadline_ms);
  return end(host, ExitCode::ok);
}

}  // namespace muster::host
