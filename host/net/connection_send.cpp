// The sending half of a connection: one try at once, the rest when the socket can take it.
#include "net/connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>

#include <boost/container/small_vector.hpp>

namespace muster::host {
namespace {

namespace asio = boost::asio;
using Pieces = boost::container::small_vector<asio::const_buffer, 16>;

// The kernel takes at most so many pieces in one call; the rest goes in the next.
constexpr std::size_t pieces_max = 64;

Pieces pieces_of(const OutBuffer& buffer, std::size_t skip) {
  Pieces pieces;
  buffer.each_from(skip, [&](const std::uint8_t* data, std::size_t size) {
    if (pieces.size() < pieces_max) pieces.push_back(asio::const_buffer(data, size));
  });
  return pieces;
}

}  // namespace

void Connection::flush() {
  if (shut_ || writing_) return;
  while (!out_.empty()) {
    sending_.swap(out_);
    sent_ = 0;
    if (!send_now()) {
      if (!shut_) send_rest();
      return;
    }
    sending_.clear();
  }
  if (closing_ || (draining_ && answers_.unanswered() == 0)) {
    shut();
    return;
  }
  resume();
}

// True: all is out. The usual case: the socket takes everything and no event is needed.
bool Connection::send_now() {
  while (sent_ < sending_.size()) {
    boost::system::error_code error;
    sent_ += socket_.write_some(pieces_of(sending_, sent_), error);
    if (error == asio::error::would_block || error == asio::error::try_again) return false;
    if (error == asio::error::interrupted) continue;
    if (error) {
      shut();
      return false;
    }
  }
  return true;
}

void Connection::send_rest() {
  writing_ = true;
  socket_.async_wait(asio::socket_base::wait_write,
                     [self = shared_from_this()](const boost::system::error_code& error) {
                       if (self->shut_) return;
                       if (error) {
                         self->writing_ = false;
                         self->shut();
                         return;
                       }
                       self->active_ms_ = self->shared_->parts.clock->monotonic_ms();
                       if (!self->send_now()) {
                         if (!self->shut_) self->send_rest();
                         return;
                       }
                       self->sending_.clear();
                       self->writing_ = false;
                       self->flush();
                     });
}

void Connection::shut() {
  if (shut_) return;
  shut_ = true;
  closing_ = true;
  boost::system::error_code ignored;
  socket_.shutdown(asio::socket_base::shutdown_both, ignored);
  socket_.close(ignored);
  room_.cancel();
  out_.clear();
  sending_.clear();
  shared_->in_flight.remove(std::exchange(counted_bytes_, 0));
  shared_->parts.observer->closed();
  // Posted: a protocol's on_disconnect may end a request of this very connection.
  asio::post(context_, [self = shared_from_this()] {
    self->shared_->parts.dispatcher->disconnected(self->identity_.id, self->touched_);
    if (self->shared_->ended) self->shared_->ended(self->identity_.id);
  });
}

}  // namespace muster::host
