#include "net/server.hpp"

#include "net/connection.hpp"
#include "net/io_contexts.hpp"
#include "net/local_socket.hpp"

#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>

#include <sys/socket.h>

#include <unordered_map>

namespace muster::host {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using Stream = asio::generic::stream_protocol;

constexpr std::int64_t sweep_ms_min = 100;
constexpr std::int64_t sweep_ms_max = 30000;
// Between two tries to accept where the process has no file descriptor left, or the like.
constexpr std::chrono::milliseconds accept_again{100};

// None: not of the Internet, but of the local socket.
std::optional<tcp::endpoint> tcp_endpoint(const Stream::endpoint& generic) {
  if (generic.protocol().family() == AF_UNIX) return std::nullopt;
  tcp::endpoint endpoint;
  if (generic.size() > endpoint.capacity()) return std::nullopt;
  std::memcpy(endpoint.data(), generic.data(), generic.size());
  endpoint.resize(generic.size());
  return endpoint;
}

}  // namespace

struct Server::Impl : std::enable_shared_from_this<Server::Impl> {
  struct Listener {
    Listener(std::string its_name, asio::io_context& context)
        : name(std::move(its_name)), acceptor(context), again(context) {}

    std::string name;
    asio::basic_socket_acceptor<Stream> acceptor;
    asio::steady_timer again;
  };

  explicit Impl(ServerParts its_parts)
      : parts(its_parts),
        shared(std::make_shared<ConnectionShared>(its_parts)),
        sweep(its_parts.pool->contexts().all.front()) {}

  void accept(Listener& listener);
  void accept_later(Listener& listener);
  void admit(const Listener& listener, asio::io_context& context, Stream::socket socket);
  void sweep_idle();
  std::vector<std::shared_ptr<Connection>> all() const;

  ServerParts parts;
  std::shared_ptr<ConnectionShared> shared;
  std::deque<Listener> listeners;
  std::optional<LocalSocketFile> local_file;
  asio::steady_timer sweep;
  mutable std::mutex mutex;
  std::unordered_map<std::uint64_t, std::shared_ptr<Connection>> connections;
  std::uint64_t last_id = 0;
  bool draining = false;
};

Server::Server(ServerParts parts) : impl_(std::make_shared<Impl>(parts)) {
  impl_->shared->ended = [weak = std::weak_ptr(impl_)](std::uint64_t id) {
    const auto impl = weak.lock();
    if (!impl) return;
    const std::lock_guard lock(impl->mutex);
    impl->connections.erase(id);
  };
}

Server::~Server() = default;

std::string Server::bind(const ListenerConfig& listener) {
  boost::system::error_code error;
  const auto address = asio::ip::make_address(
      listener.bind.host == "localhost" ? "127.0.0.1" : listener.bind.host, error);
  if (error) return "'" + listener.bind.host + "' is not an IP address";
  auto& front = impl_->parts.pool->contexts().all.front();
  Impl::Listener& made = impl_->listeners.emplace_back(listener.name, front);
  const tcp::endpoint endpoint(address, listener.bind.port);
  made.acceptor.open(endpoint.protocol(), error);
  if (!error) made.acceptor.set_option(asio::socket_base::reuse_address(true), error);
  if (!error) made.acceptor.bind(endpoint, error);
  if (!error) made.acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (!error) return {};
  return "cannot listen on " + listener.bind.host + ":" + std::to_string(listener.bind.port) +
         ": " + error.message();
}

std::string Server::bind_local(const std::filesystem::path& path, const std::string& listener) {
  boost::system::error_code error;
  auto& front = impl_->parts.pool->contexts().all.front();
  Impl::Listener made(listener, front);
  made.acceptor.open(Stream(AF_UNIX, 0), error);
  if (error) return error.message();
  auto file = LocalSocketFile::bind(made.acceptor.native_handle(), path);
  if (!file) return file.error();
  made.acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) return "cannot listen on '" + path.string() + "': " + error.message();
  impl_->local_file.emplace(std::move(*file));
  impl_->listeners.push_back(std::move(made));
  return {};
}

std::uint16_t Server::bound(std::size_t listener) const {
  boost::system::error_code error;
  const auto endpoint = tcp_endpoint(impl_->listeners[listener].acceptor.local_endpoint(error));
  return error || !endpoint ? std::uint16_t{0} : endpoint->port();
}

void Server::accept() {
  for (Impl::Listener& listener : impl_->listeners) impl_->accept(listener);
  if (impl_->parts.limits.connections_max_idle_ms > 0) impl_->sweep_idle();
}

// The new socket belongs to the context it will live on from the start.
void Server::Impl::accept(Listener& listener) {
  asio::io_context& context = parts.pool->contexts().next();
  listener.acceptor.async_accept(
      context, [self = shared_from_this(), &listener, &context](
                   const boost::system::error_code& error, Stream::socket socket) {
        if (error == asio::error::operation_aborted || !listener.acceptor.is_open()) return;
        if (error) {
          self->parts.observer->accept_failed(error.message());
          self->accept_later(listener);
          return;
        }
        self->admit(listener, context, std::move(socket));
        self->accept(listener);
      });
}

void Server::Impl::accept_later(Listener& listener) {
  listener.again.expires_after(accept_again);
  listener.again.async_wait(
      [self = shared_from_this(), &listener](const boost::system::error_code& error) {
        if (!error && listener.acceptor.is_open()) self->accept(listener);
      });
}

void Server::Impl::admit(const Listener& listener, asio::io_context& context,
                         Stream::socket socket) {
  boost::system::error_code error;
  const auto remote = socket.remote_endpoint(error);
  if (error) return;
  ConnectionIdentity identity;
  identity.listener = listener.name;
  const auto peer = tcp_endpoint(remote);
  identity.client_host = peer ? "/" + peer->address().to_string() : "/local";
  std::shared_ptr<Connection> connection;
  {
    const std::lock_guard lock(mutex);
    if (draining) return;
    identity.id = ++last_id;
    connection = std::make_shared<Connection>(context, std::move(socket), shared, identity);
    connections.emplace(identity.id, connection);
  }
  asio::post(context, [connection] { connection->start(); });
}

std::vector<std::shared_ptr<Connection>> Server::Impl::all() const {
  std::vector<std::shared_ptr<Connection>> list;
  const std::lock_guard lock(mutex);
  list.reserve(connections.size());
  for (const auto& [id, connection] : connections) list.push_back(connection);
  return list;
}

void Server::Impl::sweep_idle() {
  const std::int64_t idle = parts.limits.connections_max_idle_ms;
  sweep.expires_after(std::chrono::milliseconds(std::clamp(idle / 4, sweep_ms_min, sweep_ms_max)));
  sweep.async_wait([self = shared_from_this(), idle](const boost::system::error_code& error) {
    if (error) return;
    const std::int64_t since = self->parts.clock->monotonic_ms() - idle;
    for (const auto& connection : self->all()) connection->close_if_idle(since);
    self->sweep_idle();
  });
}

void Server::drain() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->draining = true;
  }
  asio::post(impl_->parts.pool->contexts().all.front(), [impl = impl_] {
    // Before nobody listens on it: the next host may take over a file only after that.
    impl->local_file.reset();
    for (Impl::Listener& listener : impl->listeners) {
      boost::system::error_code ignored;
      listener.acceptor.close(ignored);
      listener.again.cancel();
    }
    impl->sweep.cancel();
  });
  for (const auto& connection : impl_->all()) connection->drain();
}

std::size_t Server::connections() const {
  const std::lock_guard lock(impl_->mutex);
  return impl_->connections.size();
}

void Server::close_connection(std::uint64_t connection) {
  std::shared_ptr<Connection> found;
  {
    const std::lock_guard lock(impl_->mutex);
    const auto at = impl_->connections.find(connection);
    if (at == impl_->connections.end()) return;
    found = at->second;
  }
  found->close();
}

std::uint64_t Server::in_flight_bytes() const { return impl_->shared->in_flight.bytes(); }

}  // namespace muster::host
