// The admin listener: /healthz, /readyz, /metrics, /api/v1/plugins. Owner: host/observe.
//
// Threads: one of its own, small; the callbacks run on it. Answers one connection at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>

namespace muster::host {

struct AdminHandlers {
  // Empty text: ready; otherwise what is missing, in one sentence.
  std::function<std::string()> not_ready;
  std::function<std::string()> metrics_text;
  std::function<std::string()> plugins_json;
};

class AdminServer {
 public:
  [[nodiscard]] static std::expected<std::unique_ptr<AdminServer>, std::string> start(
      const std::string& host, std::uint16_t port, AdminHandlers handlers);
  // Stops the thread and closes the listener.
  ~AdminServer();
  AdminServer(const AdminServer&) = delete;
  AdminServer& operator=(const AdminServer&) = delete;

  // The bound port, also where 0 was asked for.
  [[nodiscard]] std::uint16_t port() const;

 private:
  struct Impl;
  explicit AdminServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace muster::host
