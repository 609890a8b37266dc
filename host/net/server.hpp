// The listeners and their connections. Asio stays behind Impl.
//
// Threads: [control] to listen and drain; connections live each on one thread of the IoPool.
#pragma once

#include "config/host_config.hpp"
#include "dispatch/dispatcher.hpp"
#include "net/io_pool.hpp"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace muster::host {

class NetObserver {
 public:
  virtual ~NetObserver() = default;
  virtual void opened() = 0;
  virtual void closed() = 0;
  virtual void requests(std::uint64_t count) = 0;
  virtual void unread(int by) = 0;  // connections that are open but not read, more or less
  virtual void closed_idle() = 0;
  virtual void accept_failed(std::string_view why) = 0;
  virtual void refused_frame(std::string_view why) = 0;
};

struct ServerParts {
  IoPool* pool = nullptr;
  Dispatcher* dispatcher = nullptr;
  NetObserver* observer = nullptr;
  Clock* clock = nullptr;
  std::atomic<std::uint64_t>* request_ids = nullptr;
  LimitsConfig limits;
};

class Server {
 public:
  explicit Server(ServerParts parts);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Binds. Empty: fine; otherwise one sentence why not. Port 0 takes a free one: see `bound`.
  [[nodiscard]] std::string bind(const ListenerConfig& listener);
  // Listens on a socket in the file system as well, for who may open it; after the listeners, of
  // which `listener` names the one that it counts as. Empty: fine; otherwise why not.
  [[nodiscard]] std::string bind_local(const std::filesystem::path& path,
                                       const std::string& listener);
  // The bound port of the i-th listener.
  std::uint16_t bound(std::size_t listener) const;
  // Starts to accept on all listeners.
  void accept();
  // Accepts and reads nothing more; connections close once what they owe is answered and sent.
  void drain();
  std::size_t connections() const;
  void close_connection(std::uint64_t connection);
  std::uint64_t in_flight_bytes() const;

 private:
  struct Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace muster::host
