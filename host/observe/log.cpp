// Log over spdlog: it keeps time, levels and the lock of the sink; the words are made here.
#include "observe/log.hpp"

#include "observe/json_text.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <map>
#include <mutex>

namespace muster::host {
namespace {

constexpr const char* text_pattern = "%Y-%m-%dT%H:%M:%S.%eZ %-7l %v";
constexpr const char* json_pattern = R"({"time":"%Y-%m-%dT%H:%M:%S.%eZ","level":"%l",%v})";

class LineSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit LineSink(std::function<void(std::string_view)> take) : take_(std::move(take)) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    std::string_view text(line.data(), line.size());
    while (text.ends_with('\n')) text.remove_suffix(1);
    take_(text);
  }
  void flush_() override {}

  std::function<void(std::string_view)> take_;
};

spdlog::level::level_enum level_of(Severity severity) {
  switch (severity) {
    case Severity::debug: return spdlog::level::debug;
    case Severity::info: return spdlog::level::info;
    case Severity::warn: return spdlog::level::warn;
    case Severity::error: break;
  }
  return spdlog::level::err;
}

Severity severity_of(std::int32_t border_level) {
  switch (border_level) {
    case MUSTER_LOG_DEBUG: return Severity::debug;
    case MUSTER_LOG_INFO: return Severity::info;
    case MUSTER_LOG_WARN: return Severity::warn;
    default: return Severity::error;
  }
}

// One event is one line, whatever a client or a plugin put into it.
void append_plain(std::string& out, std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += {'\\', 'x', digits[byte >> 4U], digits[byte & 15U]};
    } else {
      out += c;
    }
  }
}

std::string text_line(std::string_view component, std::string_view message,
                      std::initializer_list<LogField> fields) {
  std::string line(component);
  line += ": ";
  append_plain(line, message);
  for (const LogField& field : fields) {
    line += ' ';
    line += field.name;
    line += '=';
    const bool plain =
        !field.value.empty() && field.value.find_first_of(" \"=\t") == std::string::npos;
    if (plain) {
      append_plain(line, field.value);
    } else {
      line += json_string(field.value);
    }
  }
  return line;
}

std::string json_line(std::string_view component, std::string_view message,
                      std::initializer_list<LogField> fields) {
  std::string line = "\"component\":" + json_string(component);
  line += ",\"message\":" + json_string(message);
  for (const LogField& field : fields) {
    line += ',' + json_string(field.name) + ':';
    line += field.is_number ? field.value : json_string(field.value);
  }
  return line;
}

struct Service {
  muster_log_v1 table{};
  Log* log = nullptr;
  std::string component;
};

void write_slot(void* self, std::int32_t level, muster_str message) {
  const Service& service = *static_cast<Service*>(self);
  const std::string_view text =
      message.data == nullptr ? std::string_view() : std::string_view(message.data, message.size);
  service.log->write(severity_of(level), service.component, text);
}

std::int32_t enabled_slot(void* self, std::int32_t level) {
  return static_cast<Service*>(self)->log->enabled(severity_of(level)) ? 1 : 0;
}

}  // namespace

struct Log::Impl {
  std::unique_ptr<spdlog::logger> logger;
  bool json = false;
  std::mutex mutex;
  std::map<std::string, std::unique_ptr<Service>, std::less<>> services;
};

Log::Log(const LogSettings& settings) : impl_(std::make_unique<Impl>()) {
  spdlog::sink_ptr sink;
  if (settings.sink) {
    sink = std::make_shared<LineSink>(settings.sink);
  } else {
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  }
  impl_->json = settings.json;
  impl_->logger = std::make_unique<spdlog::logger>("muster", std::move(sink));
  impl_->logger->set_level(level_of(settings.least));
  impl_->logger->flush_on(spdlog::level::debug);
  impl_->logger->set_formatter(std::make_unique<spdlog::pattern_formatter>(
      settings.json ? json_pattern : text_pattern, spdlog::pattern_time_type::utc));
  // A full disk behind standard error must not become a second problem.
  impl_->logger->set_error_handler([](const std::string&) {});
}

Log::~Log() = default;

bool Log::enabled(Severity severity) const noexcept {
  return impl_->logger->should_log(level_of(severity));
}

void Log::write(Severity severity, std::string_view component, std::string_view message,
                std::initializer_list<LogField> fields) noexcept {
  if (!enabled(severity)) return;
  try {
    const std::string line =
        impl_->json ? json_line(component, message, fields) : text_line(component, message, fields);
    impl_->logger->log(level_of(severity), spdlog::string_view_t(line.data(), line.size()));
  } catch (...) {
    // Out of memory: the event is lost, the host is not.
  }
}

const muster_log_v1* Log::service_for(std::string_view component) {
  const std::lock_guard lock(impl_->mutex);
  auto& service = impl_->services[std::string(component)];
  if (!service) {
    service = std::make_unique<Service>();
    service->log = this;
    service->component = component;
    service->table = {sizeof(muster_log_v1), service.get(), write_slot, enabled_slot};
  }
  return &service->table;
}

}  // namespace muster::host
