#include "client/kafka_client.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <utility>

namespace muster::bench {
namespace {

void read_exactly(int socket, std::uint8_t* into, std::size_t size) {
  while (size != 0) {
    const ssize_t got = ::recv(socket, into, size, 0);
    if (got <= 0) throw std::runtime_error("the server closed the connection");
    into += got;
    size -= static_cast<std::size_t>(got);
  }
}

}  // namespace

KafkaConnection::KafkaConnection(const std::string& host, std::uint16_t port)
    : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  ::inet_pton(AF_INET, host.c_str(), &address.sin_addr);
  if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    ::close(socket_);
    throw std::runtime_error("cannot connect to " + host + ":" + std::to_string(port));
  }
  const int on = 1;
  ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

KafkaConnection::~KafkaConnection() {
  if (socket_ >= 0) ::close(socket_);
}

KafkaConnection::KafkaConnection(KafkaConnection&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)), correlation_(other.correlation_) {}

void KafkaConnection::send_all(const protocol::Buffer& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t sent = ::send(socket_, bytes.data() + done, bytes.size() - done, MSG_NOSIGNAL);
    if (sent <= 0) throw std::runtime_error("the server closed the connection");
    done += static_cast<std::size_t>(sent);
  }
}

protocol::Buffer KafkaConnection::receive() {
  std::uint8_t length[4];
  read_exactly(socket_, length, sizeof length);
  const std::size_t size = std::size_t{length[0]} << 24 | std::size_t{length[1]} << 16 |
                           std::size_t{length[2]} << 8 | length[3];
  protocol::Buffer frame(size);
  read_exactly(socket_, frame.data(), size);
  return frame;
}

}  // namespace muster::bench
