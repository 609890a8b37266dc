// The log: one readable line an event, or one JSON object a line. Owner: host/observe.
//
// Threads: [any]. Never throws and never blocks on anything but the write to standard error.
#pragma once

#include <muster/abi/host.h>

#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace muster::host {

enum class Severity { debug, info, warn, error };

// One named fact of an event: "port=9092". Made for the length of one call.
struct LogField {
  LogField(std::string_view field, std::string_view text) : name(field), value(text) {}
  LogField(std::string_view field, const char* text) : name(field), value(text) {}
  template <std::integral Number>
  LogField(std::string_view field, Number number)
      : name(field), value(std::to_string(number)), is_number(true) {}

  std::string_view name;
  std::string value;
  bool is_number = false;
};

struct LogSettings {
  Severity least = Severity::info;
  bool json = false;
  // Takes each finished line, without its line end. Empty: standard error.
  std::function<void(std::string_view line)> sink;
};

class Log {
 public:
  explicit Log(const LogSettings& settings);
  ~Log();
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  [[nodiscard]] bool enabled(Severity severity) const noexcept;
  // `component` says who speaks: "net", "runtime", a plugin's name. `message` is one sentence.
  void write(Severity severity, std::string_view component, std::string_view message,
             std::initializer_list<LogField> fields = {}) noexcept;

  void debug(std::string_view component, std::string_view message,
             std::initializer_list<LogField> fields = {}) noexcept {
    write(Severity::debug, component, message, fields);
  }
  void info(std::string_view component, std::string_view message,
            std::initializer_list<LogField> fields = {}) noexcept {
    write(Severity::info, component, message, fields);
  }
  void warn(std::string_view component, std::string_view message,
            std::initializer_list<LogField> fields = {}) noexcept {
    write(Severity::warn, component, message, fields);
  }
  void error(std::string_view component, std::string_view message,
             std::initializer_list<LogField> fields = {}) noexcept {
    write(Severity::error, component, message, fields);
  }

  // muster.log/1 for one plugin; its definition name is the component. Lives as long as this.
  [[nodiscard]] const muster_log_v1* service_for(std::string_view component);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace muster::host
