#include "net/connection.hpp"

#include "net/io_contexts.hpp"

#include <muster/protocol/request_header.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <poll.h>

#include <chrono>

namespace muster::host {
namespace {

namespace asio = boost::asio;

constexpr std::size_t text_length_max = 40;  // of a reason that goes to the log
// How often a connection that is not read is looked at for a peer that is gone.
constexpr std::chrono::seconds hang_up_check{1};

}  // namespace

Connection::Connection(asio::io_context& context, StreamSocket socket,
                       std::shared_ptr<ConnectionShared> shared, ConnectionIdentity identity)
    : context_(context),
      socket_(std::move(socket)),
      shared_(std::move(shared)),
      identity_(std::move(identity)),
      room_(context),
      frames_(shared_->parts.limits.max_frame_bytes),
      active_ms_(shared_->parts.clock->monotonic_ms()) {}

Connection::~Connection() = default;

void Connection::start() {
  shared_->parts.observer->opened();
  asio::co_spawn(context_, [self = shared_from_this()]() { return self->run(); }, asio::detached);
}

asio::awaitable<void> Connection::run() {
  boost::system::error_code error;
  socket_.non_blocking(true, error);
  socket_.set_option(asio::ip::tcp::no_delay(true), error);
  socket_.set_option(asio::socket_base::keep_alive(true), error);
  while (!closing_) {
    if (!may_read()) {
      co_await wait_for_room();
    } else if (!stalled_frames_) {
      const auto space = frames_.space();
      const std::size_t count =
          co_await socket_.async_read_some(asio::buffer(space.data(), space.size()),
                                           asio::redirect_error(asio::use_awaitable, error));
      if (error) break;
      frames_.arrived(count);
    }
    // What came before an illegal request is still answered: then flush() shuts.
    if (!handle_frames()) draining_ = true;
    flush();
  }
  // What is closing or draining still owes bytes, perhaps: then flush() shuts when they are out.
  const bool owes = writing_ || (draining_ && answers_.unanswered() != 0);
  if (!owes || (!closing_ && !draining_)) shut();
}

bool Connection::has_room() const {
  const LimitsConfig& limits = shared_->parts.limits;
  return !draining_ && answers_.unanswered() < limits.connection_requests &&
         answers_.unanswered_bytes() < limits.connection_bytes &&
         out_.size() < limits.connection_bytes;
}

bool Connection::may_read() const { return has_room() && !shared_->in_flight.full(); }

// Whoever makes room cancels the wait; without room it looks for a peer that is gone.
asio::awaitable<void> Connection::wait_for_room() {
  boost::system::error_code woken;
  waits_for_room_ = true;
  // With room of its own it is the host that is full, or was a moment ago: that may not be looked
  // at a second time, or nobody would wake who finds it changed.
  if (!asked_host_ && has_room()) {
    asked_host_ = true;
    shared_->in_flight.when_room([weak = weak_from_this()] {
      const auto self = weak.lock();
      if (!self) return;
      asio::post(self->context_, [self] {
        self->asked_host_ = false;
        self->resume();
      });
    });
  }
  shared_->parts.observer->unread(1);
  while (waits_for_room_ && !closing_) {
    room_.expires_after(hang_up_check);
    co_await room_.async_wait(asio::redirect_error(asio::use_awaitable, woken));
    if (waits_for_room_ && hung_up()) shut();
  }
  waits_for_room_ = false;
  shared_->parts.observer->unread(-1);
}

// The host-wide limit is looked at by who wakes: if it is full again, that one asks anew.
void Connection::resume() {
  if (!waits_for_room_ || (!has_room() && !closing_)) return;
  waits_for_room_ = false;
  room_.cancel();
}

// A reset is certain. An orderly end only counts where reading would find nothing before it: what
// lies there are requests, as long as they will still be read.
bool Connection::hung_up() {
  if (shut_) return false;
  pollfd peer{socket_.native_handle(), POLLRDHUP, 0};
  if (::poll(&peer, 1, 0) <= 0) return false;
  if ((peer.revents & (POLLERR | POLLHUP)) != 0) return true;
  if (deaf_) return false;
  boost::system::error_code ignored;
  return draining_ || (frames_.buffered() == 0 && socket_.available(ignored) == 0);
}

bool Connection::handle_frames() {
  handling_ = true;
  std::uint64_t count = 0;
  bool good = true;
  while (good) {
    stalled_frames_ = !may_read();
    if (stalled_frames_) break;
    const auto frame = frames_.next();
    if (!frame) break;
    ++count;
    good = handle_frame(*frame) && !closing_;
  }
  handling_ = false;
  if (count != 0) {
    active_ms_.store(shared_->parts.clock->monotonic_ms(), std::memory_order_relaxed);
    shared_->parts.observer->requests(count);
    // What is still owed counts host-wide; what was answered at once never did.
    const std::size_t owed = answers_.unanswered_bytes();
    if (owed > counted_bytes_) {
      shared_->in_flight.add(owed - counted_bytes_);
      counted_bytes_ = owed;
    }
  }
  if (frames_.broken()) {
    shared_->parts.observer->refused_frame("a frame of an illegal length");
    return false;
  }
  return good;
}

bool Connection::handle_frame(Bytes frame) {
  Dispatcher& dispatcher = *shared_->parts.dispatcher;
  const auto prefix = protocol::peek_request(frame);
  const ApiEntry* const api = prefix ? dispatcher.apis().find(prefix->api_key) : nullptr;
  if (api == nullptr) {
    shared_->parts.observer->refused_frame("an unknown API key");
    return false;
  }
  const bool known_version =
      prefix->api_version >= api->claim.min && prefix->api_version <= api->claim.max;
  if (!known_version && api->built_in != BuiltIn::api_versions) {
    shared_->parts.observer->refused_frame("an unsupported version of an API");
    return false;
  }
  const auto split = protocol::split_request(frame, api->claim.first_flexible);
  if (!split) {
    shared_->parts.observer->refused_frame(
        split.error().what.substr(0, std::min(split.error().what.size(), text_length_max)));
    return false;
  }
  muster_request request{};
  request.struct_size = sizeof request;
  request.api_key = prefix->api_key;
  request.version = prefix->api_version;
  request.body = to_abi(Bytes(split->body));
  request.id = shared_->parts.request_ids->fetch_add(1, std::memory_order_relaxed) + 1;
  request.connection = identity_.id;
  request.principal = to_abi(std::string_view(identity_.principal));
  const auto& client_id = split->header.client_id;
  request.client_id = client_id ? to_abi(*client_id) : muster_str{nullptr, 0};
  request.client_host = to_abi(std::string_view(identity_.client_host));
  request.listener = to_abi(std::string_view(identity_.listener));
  const std::int16_t header = protocol::response_header_version(
      prefix->api_key, api->claim.first_flexible, prefix->api_version);
  const std::uint64_t slot = answers_.open({prefix->correlation_id, header == 1, frame.size()});
  dispatcher.dispatch(request, ReplyTo{shared_from_this(), slot}, &touched_);
  return true;
}

void Connection::deliver(std::uint64_t slot, Answer answer) {
  if (IoContexts::current() == &context_) {
    take(slot, std::move(answer));
    return;
  }
  OwnedAnswer owned(std::move(answer));
  bool first = false;
  {
    const std::lock_guard lock(mailbox_mutex_);
    first = mailbox_.empty();
    mailbox_.push_back({slot, std::move(owned)});
  }
  if (first) asio::post(context_, [self = shared_from_this()] { self->fetch_mailbox(); });
}

void Connection::fetch_mailbox() {
  std::vector<Delivered> delivered;
  {
    const std::lock_guard lock(mailbox_mutex_);
    delivered.swap(mailbox_);
  }
  const bool nested = std::exchange(handling_, true);
  for (Delivered& one : delivered) take(one.slot, one.answer.release());
  handling_ = nested;
  if (!handling_) flush();
}

void Connection::take(std::uint64_t slot, Answer answer) {
  if (shut_) return;
  if (!answers_.fill(slot, std::move(answer), out_)) closing_ = true;
  const std::size_t owed = answers_.unanswered_bytes();
  if (counted_bytes_ > owed) {
    shared_->in_flight.remove(counted_bytes_ - owed);
    counted_bytes_ = owed;
  }
  if (!handling_) flush();
}

void Connection::close() {
  asio::post(context_, [self = shared_from_this()] {
    self->closing_ = true;
    self->flush();
  });
}

void Connection::drain() {
  asio::post(context_, [self = shared_from_this()] {
    if (self->shut_) return;
    self->draining_ = true;
    self->deaf_ = true;
    boost::system::error_code ignored;
    self->socket_.shutdown(asio::socket_base::shutdown_receive, ignored);
    self->flush();
    // What is still owed may be a long poll: the broker hears that nobody waits for it any more.
    // Shards have been told to answer what they hold.
    if (!self->shut_) self->shared_->parts.dispatcher->disconnected(self->identity_.id, {});
  });
}

// Whoever takes no answers for so long is not waited for.
void Connection::close_if_idle(std::int64_t since_ms) {
  if (active_ms_.load(std::memory_order_relaxed) >= since_ms) return;
  asio::post(context_, [self = shared_from_this()] {
    if (!self->shut_) self->shared_->parts.observer->closed_idle();
    self->shut();
  });
}

}  // namespace muster::host
