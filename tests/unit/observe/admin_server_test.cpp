// The admin listener, spoken to over a real socket.
#include "observe/admin_server.hpp"

#include <gmock/gmock.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>

namespace muster::host {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// A connection to 127.0.0.1 that reads until the other side closes.
class Client {
 public:
  explicit Client(std::uint16_t port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ =
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  ~Client() { ::close(socket_); }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  [[nodiscard]] bool connected() const { return connected_; }
  void send(std::string_view text) const {
    EXPECT_EQ(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(text.size()));
  }
  [[nodiscard]] std::string read_to_end() const {
    std::string all;
    char buffer[4096];
    for (ssize_t size = 0; (size = ::recv(socket_, buffer, sizeof buffer, 0)) > 0;) {
      all.append(buffer, static_cast<std::size_t>(size));
    }
    return all;
  }

 private:
  int socket_;
  bool connected_ = false;
};

class AdminServerTest : public ::testing::Test {
 protected:
  AdminServerTest() {
    auto server = AdminServer::start(
        "127.0.0.1", 0,
        {[this] { return std::string(ready_ ? "" : "3 of 50 shards are loading"); },
         [] { return std::string("metric 1\n"); }, [] { return std::string("[]"); }});
    EXPECT_TRUE(server);
    if (server) server_ = std::move(*server);
  }
  std::string exchange(std::string_view text) const {
    const Client client(server_->port());
    client.send(text);
    return client.read_to_end();
  }
  std::string get(const std::string& path) const {
    return exchange("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  }

  std::atomic<bool> ready_{true};
  std::unique_ptr<AdminServer> server_;
};

TEST_F(AdminServerTest, HealthIsOkWhileTheThreadAnswers) {
  EXPECT_THAT(get("/healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(AdminServerTest, NotReadyIs503AndSaysWhy) {
  EXPECT_THAT(get("/readyz"), EndsWith("\r\n\r\nready\n"));
  ready_ = false;
  EXPECT_THAT(get("/readyz"), StartsWith("HTTP/1.1 503 Service Unavailable\r\n"));
  EXPECT_THAT(get("/readyz"), EndsWith("3 of 50 shards are loading\n"));
}

TEST_F(AdminServerTest, MetricsAndPluginsHaveTheirTypes) {
  EXPECT_THAT(get("/metrics"), HasSubstr("Content-Type: text/plain; version=0.0.4"));
  EXPECT_THAT(get("/metrics?x=1"), EndsWith("metric 1\n"));
  EXPECT_THAT(get("/api/v1/plugins"), HasSubstr("Content-Type: application/json"));
}

TEST_F(AdminServerTest, UnknownPathAndMethodAreRefused) {
  EXPECT_THAT(get("/"), StartsWith("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_THAT(exchange("DELETE /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 405 Method Not Allowed\r\n"));
}

TEST_F(AdminServerTest, PipelinedRequestsOfOneConnectionAreAnsweredInOrder) {
  const std::string both = exchange(
      "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
      "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_LT(both.find("ok\n"), both.find("metric 1\n"));
  EXPECT_NE(both.find("metric 1\n"), std::string::npos);
}

TEST_F(AdminServerTest, GarbageClosesAndSilenceHoldsUpNobody) {
  const Client silent(server_->port());
  silent.send("GET /heal");
  EXPECT_EQ(exchange("\x01\x02\x03\r\n\r\n"), "");
  EXPECT_EQ(exchange("GET / HTTP/1.1\r\nX: " + std::string(20000, 'x')), "");
  EXPECT_THAT(get("/healthz"), StartsWith("HTTP/1.1 200 OK\r\n"));
}

TEST_F(AdminServerTest, TakenPortIsOneSentence) {
  const auto second = AdminServer::start("127.0.0.1", server_->port(), {});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error(), "the admin listener cannot bind 127.0.0.1:" +
                                std::to_string(server_->port()) + ": Address already in use");
}

TEST(AdminServer, ClosesItsPortWhenItGoes) {
  auto server = AdminServer::start("127.0.0.1", 0, {});
  ASSERT_TRUE(server);
  const std::uint16_t port = (*server)->port();
  server->reset();
  EXPECT_FALSE(Client(port).connected());
}

}  // namespace
}  // namespace muster::host
