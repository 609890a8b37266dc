#include "client.hpp"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace muster::sockets {

Buffer framed(Bytes frame) {
  Buffer all;
  {
    protocol::Writer writer(all);
    writer.reserve(4 + frame.size());
    writer.write_int32(static_cast<std::int32_t>(frame.size()));
  }
  all.insert(all.end(), frame.begin(), frame.end());
  return all;
}

Buffer joined(std::initializer_list<Buffer> frames) {
  Buffer all;
  for (const Buffer& frame : frames) all.insert(all.end(), frame.begin(), frame.end());
  return all;
}

Buffer request_of(const RequestLine& line, Bytes body) {
  protocol::RequestHeader header;
  header.request_api_key = line.key;
  header.request_api_version = line.version;
  header.correlation_id = line.correlation_id;
  header.client_id = line.client_id;
  Buffer frame;
  protocol::encode(header, line.flexible ? 2 : 1, frame);
  frame.insert(frame.end(), body.begin(), body.end());
  return framed(frame);
}

Client::Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  const timeval limit{patience.count(), 0};
  const int on = 1;
  ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  ::setsockopt(socket_, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0)
      << "cannot connect to port " << port;
}

Client::~Client() {
  if (socket_ >= 0) ::close(socket_);
}

Client::Client(Client&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), last_correlation_id_(other.last_correlation_id_) {}

bool Client::send(Bytes bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::size_t Client::send_until_refused(Bytes bytes, std::chrono::milliseconds quiet) const {
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    const ssize_t count =
        ::send(socket_, bytes.data() + taken, bytes.size() - taken, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      taken += static_cast<std::size_t>(count);
      continue;
    }
    if (errno != EAGAIN) break;
    pollfd wait{socket_, POLLOUT, 0};
    if (::poll(&wait, 1, static_cast<int>(quiet.count())) <= 0) break;
  }
  return taken;
}

void Client::finish_sending() const { ::shutdown(socket_, SHUT_WR); }

bool Client::read_whole(std::span<std::uint8_t> into) const {
  while (!into.empty()) {
    const ssize_t count = ::recv(socket_, into.data(), into.size(), 0);
    if (count < 0 && errno == EAGAIN) ADD_FAILURE() << "nothing came for a long time";
    if (count <= 0) return false;
    into = into.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

std::optional<Buffer> Client::receive() const {
  Buffer length(4);
  if (!read_whole(length)) return std::nullopt;
  Buffer frame(static_cast<std::size_t>(protocol::Reader(length).read_int32()));
  if (!read_whole(frame)) return std::nullopt;
  return frame;
}

std::string Client::read_text() const {
  std::string all;
  std::string bytes(64u << 10, '\0');
  for (;;) {
    const ssize_t count = ::recv(socket_, bytes.data(), bytes.size(), 0);
    if (count > 0) {
      all.append(bytes, 0, static_cast<std::size_t>(count));
      continue;
    }
    if (count < 0 && errno == EAGAIN) ADD_FAILURE() << "not closed for a long time";
    return all;
  }
}

}  // namespace muster::sockets
