#include "service/host_observer.hpp"

namespace muster::host {

HostObserver::HostObserver(Log& log, Metrics& metrics)
    : log_(log),
      metrics_(metrics),
      connections_(metrics.gauge({"muster_connections", "Client connections that are open"})),
      requests_(metrics.counter({"muster_requests_total", "Requests that were read"})),
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

void HostObserver::refused_frame(std::string_view why) {
  refused_frames_.add();
  log_.debug("net", "closing a connection", {{"why", why}});
}

}  // namespace muster::host
