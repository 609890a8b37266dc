#include "cli/client/wire.hpp"

#include "config/local_socket.hpp"

#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

namespace muster::host {
namespace {

using Clock = std::chrono::steady_clock;
using protocol::Buffer;
using protocol::Bytes;

// Beyond that it is no answer, but the first bytes of something else.
constexpr std::int32_t frame_bytes_max = 1 << 30;

std::string reason(int error) { return std::generic_category().message(error); }

Failure unreachable(std::string what) { return {std::move(what), ExitCode::unreachable}; }

Failure no_answer(const Target& target) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(target.patience).count();
  return unreachable("no answer from " + target.text() + " within " + std::to_string(seconds) +
                     " s");
}

Failure closed(const Target& target) {
  return unreachable("the connection to " + target.text() +
                     " was closed without an answer; is it where Kafka clients connect?");
}

// 0: ready; otherwise the error.
int wait_for(int socket, short events, Clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) return ETIMEDOUT;
    pollfd entry{socket, events, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(left));
    if (ready > 0) return 0;
    if (ready < 0 && errno != EINTR) return errno;
  }
}

// 0: connected; otherwise the error.
int connect_to(int socket, const sockaddr* address, socklen_t size, Clock::time_point until) {
  if (::connect(socket, address, size) == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  if (const int failed = wait_for(socket, POLLOUT, until)) return failed;
  int error = 0;
  socklen_t length = sizeof error;
  if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &length) != 0) return errno;
  return error;
}

std::string no_host(const Target& target, int error) {
  const std::string folder = "'" + target.data_dir.string() + "'";
  switch (error) {
    case ENOENT:
      return "no host is running in " + folder +
             "; start one there with `muster serve`, or say where with --data-dir or --server";
    case ECONNREFUSED:
      return "no host is running in " + folder + " any more; start one there with `muster serve`";
    case ETIMEDOUT:
    case EAGAIN: return "the host in " + folder + " takes no connection";
    default: return "'" + target.text() + "' cannot be opened: " + reason(error);
  }
}

Outcome<int> connect_locally(const Target& target, Clock::time_point until) {
  const std::string path = target.text();
  if (path.size() >= socket_path_bytes_max) {
    return std::unexpected(unreachable("'" + path + "' is too long for the path of a socket, " +
                                       "so no host can listen there; use --server"));
  }
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return std::unexpected(unreachable("no socket: " + reason(errno)));
  const int failed =
      connect_to(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address, until);
  if (failed == 0) return socket;
  ::close(socket);
  return std::unexpected(unreachable(no_host(target, failed)));
}

// The addresses of a name, one after the other.
Outcome<int> connect_remotely(const Target& target, Clock::time_point until) {
  addrinfo wanted{};
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int unresolved = ::getaddrinfo(
      target.server->host.c_str(), std::to_string(target.server->port).c_str(), &wanted, &found);
  if (unresolved != 0) {
    return std::unexpected(
        unreachable("'" + target.server->host + "' has no address: " + ::gai_strerror(unresolved)));
  }
  int connected = -1;
  int failed = 0;
  for (const addrinfo* at = found; at != nullptr && connected < 0; at = at->ai_next) {
    const int socket = ::socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    failed = socket < 0 ? errno : connect_to(socket, at->ai_addr, at->ai_addrlen, until);
    if (failed == 0) {
      connected = socket;
    } else if (socket >= 0) {
      ::close(socket);
    }
  }
  ::freeaddrinfo(found);
  if (connected >= 0) return connected;
  if (failed == ETIMEDOUT) return std::unexpected(no_answer(target));
  if (failed == ECONNREFUSED) {
    return std::unexpected(unreachable("nobody listens on " + target.text()));
  }
  return std::unexpected(unreachable("cannot connect to " + target.text() + ": " + reason(failed)));
}

}  // namespace

std::string Target::text() const {
  if (!server) return local_socket_in(data_dir).string();
  const bool v6 = server->host.find(':') != std::string::npos;
  return (v6 ? "[" + server->host + "]" : server->host) + ":" + std::to_string(server->port);
}

Outcome<Wire> Wire::connect(const Target& target) {
  const auto until = Clock::now() + target.patience;
  const auto socket =
      target.server ? connect_remotely(target, until) : connect_locally(target, until);
  if (!socket) return std::unexpected(socket.error());
  return Wire(*socket, target);
}

Wire::Wire(Wire&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), target_(std::move(other.target_)) {}

Wire::~Wire() {
  if (socket_ >= 0) ::close(socket_);
}

Outcome<Buffer> Wire::exchange(Bytes frame) {
  const auto until = Clock::now() + target_.patience;
  Buffer all;
  {
    protocol::Writer writer(all);
    writer.reserve(4 + frame.size());
    writer.write_int32(static_cast<std::int32_t>(frame.size()));
    writer.write_raw(frame);
  }
  if (auto sent = send(all, until); !sent) return std::unexpected(sent.error());
  Buffer length(4);
  if (auto got = receive(length, until); !got) return std::unexpected(got.error());
  const std::int32_t size = protocol::Reader(length).read_int32();
  if (size < 4 || size > frame_bytes_max) {
    return std::unexpected(unreachable(target_.text() + " does not speak Kafka's protocol"));
  }
  Buffer answer(static_cast<std::size_t>(size));
  if (auto got = receive(answer, until); !got) return std::unexpected(got.error());
  return answer;
}

Outcome<void> Wire::send(Bytes bytes, Deadline until) {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count > 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      if (wait_for(socket_, POLLOUT, until) != 0) return std::unexpected(no_answer(target_));
    } else if (count == 0 || errno != EINTR) {
      return std::unexpected(closed(target_));
    }
  }
  return {};
}

Outcome<void> Wire::receive(std::span<std::uint8_t> into, Deadline until) {
  while (!into.empty()) {
    const ssize_t count = ::recv(socket_, into.data(), into.size(), 0);
    if (count > 0) {
      into = into.subspan(static_cast<std::size_t>(count));
    } else if (count < 0 && errno == EAGAIN) {
      if (wait_for(socket_, POLLIN, until) != 0) return std::unexpected(no_answer(target_));
    } else if (count == 0 || errno != EINTR) {
      return std::unexpected(closed(target_));
    }
  }
  return {};
}

}  // namespace muster::host
