// AdminServer: Asio moves the bytes, Beast's parser reads them (its own stream operations would
// take this file a quarter of a minute to compile).
#include "observe/admin_server.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <thread>

namespace muster::host {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using asio::ip::tcp;
using boost::system::error_code;

constexpr std::chrono::seconds patience{10};
constexpr std::uint32_t most_header_bytes = 8192;
// Between two tries to accept where the process has no file descriptor left, or the like.
constexpr std::chrono::milliseconds accept_again{100};

struct Answer {
  http::status status = http::status::ok;
  std::string_view type = "text/plain; charset=utf-8";
  std::string body;
};

Answer route(http::verb method, std::string_view path, const AdminHandlers& handlers) {
  if (method != http::verb::get) {
    return {.status = http::status::method_not_allowed, .body = "only GET\n"};
  }
  if (path == "/healthz") return {.body = "ok\n"};
  if (path == "/readyz") {
    const std::string why = handlers.not_ready();
    if (why.empty()) return {.body = "ready\n"};
    return {.status = http::status::service_unavailable, .body = why + "\n"};
  }
  if (path == "/metrics") {
    return {.type = "text/plain; version=0.0.4; charset=utf-8", .body = handlers.metrics_text()};
  }
  if (path == "/api/v1/plugins") {
    return {.type = "application/json", .body = handlers.plugins_json()};
  }
  return {.status = http::status::not_found,
          .body = "/healthz, /readyz, /metrics and /api/v1/plugins are here\n"};
}

std::string serialize(const Answer& answer, bool keep_alive) {
  std::string text = "HTTP/1.1 " + std::to_string(static_cast<int>(answer.status)) + " ";
  text += std::string(http::obsolete_reason(answer.status));
  text += "\r\nContent-Type: " + std::string(answer.type);
  text += "\r\nContent-Length: " + std::to_string(answer.body.size());
  text += keep_alive ? "\r\n\r\n" : "\r\nConnection: close\r\n\r\n";
  return text + answer.body;
}

// One client. Lives as long as one of its operations waits.
class Session : public std::enable_shared_from_this<Session> {
 public:
  Session(tcp::socket socket, const AdminHandlers& handlers)
      : socket_(std::move(socket)), timer_(socket_.get_executor()), handlers_(handlers) {}

  // The time is for the whole request: a client that sends a byte now and then gets no more.
  void start() {
    parser_.emplace();
    parser_->header_limit(most_header_bytes);
    timer_.expires_after(patience);
    timer_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->close();
    });
    if (filled_ > 0) return parse();
    read();
  }

 private:
  void read() {
    if (filled_ == buffer_.size()) return close();
    socket_.async_read_some(asio::buffer(buffer_.data() + filled_, buffer_.size() - filled_),
                            [self = shared_from_this()](error_code error, std::size_t size) {
                              if (error) return self->close();
                              self->filled_ += size;
                              self->parse();
                            });
  }

  void parse() {
    error_code error;
    const std::size_t used = parser_->put(asio::buffer(buffer_.data(), filled_), error);
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(used),
              buffer_.begin() + static_cast<std::ptrdiff_t>(filled_), buffer_.begin());
    filled_ -= used;
    if (error && error != http::error::need_more) return close();
    if (!parser_->is_done()) return read();
    respond();
  }

  void respond() {
    const auto& request = parser_->get();
    const std::string_view target(request.target().data(), request.target().size());
    const bool keep_alive = request.keep_alive();
    out_ = serialize(route(request.method(), target.substr(0, target.find('?')), handlers_),
                     keep_alive);
    asio::async_write(socket_, asio::buffer(out_),
                      [self = shared_from_this(), keep_alive](error_code error, std::size_t) {
                        if (error || !keep_alive) return self->close();
                        self->start();
                      });
  }

  void close() {
    error_code ignored;
    timer_.cancel(ignored);
    socket_.shutdown(tcp::socket::shutdown_both, ignored);
    socket_.close(ignored);
  }

  tcp::socket socket_;
  asio::steady_timer timer_;
  const AdminHandlers& handlers_;
  std::optional<http::request_parser<http::empty_body>> parser_;
  std::array<char, 2 * most_header_bytes> buffer_{};
  std::size_t filled_ = 0;
  std::string out_;
};

}  // namespace

struct AdminServer::Impl {
  AdminHandlers handlers;
  asio::io_context context{1};
  tcp::acceptor acceptor{context};
  asio::steady_timer again{context};
  std::uint16_t port = 0;
  std::thread thread;

  void accept() {
    acceptor.async_accept([this](error_code error, tcp::socket socket) {
      if (error == asio::error::operation_aborted) return;
      if (error) {
        again.expires_after(accept_again);
        again.async_wait([this](error_code) { accept(); });
        return;
      }
      std::make_shared<Session>(std::move(socket), handlers)->start();
      accept();
    });
  }

  void listen(const std::string& host, std::uint16_t wanted_port) {
    tcp::resolver resolver(context);
    const tcp::endpoint endpoint =
        resolver.resolve(host, std::to_string(wanted_port), tcp::resolver::passive)->endpoint();
    acceptor.open(endpoint.protocol());
    acceptor.set_option(tcp::acceptor::reuse_address(true));
    acceptor.bind(endpoint);
    acceptor.listen();
    port = acceptor.local_endpoint().port();
  }
};

std::expected<std::unique_ptr<AdminServer>, std::string> AdminServer::start(
    const std::string& host, std::uint16_t port, AdminHandlers handlers) {
  auto impl = std::make_unique<Impl>();
  impl->handlers = std::move(handlers);
  try {
    impl->listen(host, port);
  } catch (const boost::system::system_error& error) {
    return std::unexpected("the admin listener cannot bind " + host + ":" + std::to_string(port) +
                           ": " + error.code().message());
  }
  impl->accept();
  impl->thread = std::thread([context = &impl->context] { context->run(); });
  return std::unique_ptr<AdminServer>(new AdminServer(std::move(impl)));
}

AdminServer::AdminServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

AdminServer::~AdminServer() {
  impl_->context.stop();
  impl_->thread.join();
}

std::uint16_t AdminServer::port() const { return impl_->port; }

}  // namespace muster::host
