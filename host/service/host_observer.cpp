#include "service/host_observer.hpp"

namespace muster::host {

HostObserver::HostObserver(Log& log, Metrics& metrics)
    : log_(log),
      metrics_(metrics),
      connections_(metrics.gauge({"muster_connections", "Client connections that are open"})),
      requests_(metrics.counter({"muster_requests_total", "Requests that were read"})),
      unread_(metrics.gauge({"muster_connections_unread",
                             "Client connections that a limit or a refused frame keeps from "
                             "being read"})),
      idle_(metrics.counter({"muster_connections_idle_closed_total",
                             "Client connections that were silent for too long"})),
      accept_failures_(metrics.counter(
          {"muster_accept_failures_total", "Connections that could not be accepted"})),
      refused_frames_(
          metrics.counter({"muster_refused_frames_total", "Frames that closed their connection"})) {
}

void HostObserver::misbehaved(std::string_view plugin, std::string_view slot,
                              std::string_view why) {
  const std::string name(plugin);
  metrics_
      .counter({"muster_plugin_faults_total", "Slots that failed or broke a rule of the border",
                "plugin=" + name})
      .add();
  std::uint64_t count = 0;
  {
    const std::lock_guard lock(mutex_);
    count = ++faults_[name + "/" + std::string(slot)];
  }
  // A plugin that fails each time must not fill the log: told at 1, 2, 4, 8, ... times.
  if ((count & (count - 1)) != 0) return;
  log_.warn("runtime", "a plugin misbehaved",
            {{"plugin", plugin}, {"slot", slot}, {"why", why}, {"times", count}});
}

void HostObserver::log(int level, std::string_view message) {
  const auto severity = level <= MUSTER_LOG_DEBUG  ? Severity::debug
                        : level == MUSTER_LOG_INFO ? Severity::info
                        : level == MUSTER_LOG_WARN ? Severity::warn
                                                   : Severity::error;
  log_.write(severity, "runtime", message);
}

// Told at 1, 2, 4, 8, ... times: it comes again and again while its cause lasts.
void HostObserver::accept_failed(std::string_view why) {
  accept_failures_.add();
  const std::uint64_t count = accept_failures_.value();
  if ((count & (count - 1)) != 0) return;
  log_.error("net", "a connection cannot be accepted", {{"why", why}, {"times", count}});
}

void HostObserver::refused_frame(std::string_view why) {
  refused_frames_.add();
  log_.debug("net", "closing a connection", {{"why", why}});
}

}  // namespace muster::host
