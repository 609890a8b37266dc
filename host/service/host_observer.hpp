// Where the runtime and the net tell what happened: the log and the metrics. Threads: [any].
#pragma once

#include "net/server.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"

#include <map>
#include <mutex>

namespace muster::host {

class HostObserver : public Observer, public NetObserver {
 public:
  HostObserver(Log& log, Metrics& metrics);

  void misbehaved(std::string_view plugin, std::string_view slot, std::string_view why) override;
  void log(int level, std::string_view message) override;
  void opened() override { connections_.add(1); }
  void closed() override { connections_.add(-1); }
  void requests(std::uint64_t count) override { requests_.add(count); }
  void unread(int by) override { unread_.add(by); }
  void closed_idle() override { idle_.add(); }
  void accept_failed(std::string_view why) override;
  void refused_frame(std::string_view why) override;

 private:
  Log& log_;
  Metrics& metrics_;
  Gauge& connections_;
  Counter& requests_;
  Gauge& unread_;
  Counter& idle_;
  Counter& accept_failures_;
  Counter& refused_frames_;
  std::mutex mutex_;
  std::map<std::string, std::uint64_t, std::less<>> faults_;  // by plugin and slot
};

}  // namespace muster::host
