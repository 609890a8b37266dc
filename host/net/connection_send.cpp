// The sending half of a connection: one try at once, the rest when the socket can take it.
#include "net/connection.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/post.hpp>

#include <boost/container/small_vector.hpp>

#include <sys/sendfile.h>
#include <sys/socket.h>

#include <cerrno>
#include <optional>

namespace muster::host {
namespace {

namespace asio = boost::asio;
using Pieces = boost::container::small_vector<asio::const_buffer, 16>;

// The kernel takes at most so many pieces in one call; the rest goes in the next.
constexpr std::size_t pieces_max = 64;

// What one call can send: pieces in memory, or one in a file.
struct Next {
  Pieces in_memory;
  std::optional<OutPiece> in_file;
  bool more = false;  // a file follows what is in memory
};

Next next_of(const OutBuffer& buffer, std::size_t skip) {
  Next next;
  buffer.each_from(skip, [&](const OutPiece& piece) {
    if (piece.data == nullptr) {
      next.more = !next.in_memory.empty();
      if (!next.more) next.in_file = piece;
      return false;
    }
    next.in_memory.push_back(asio::const_buffer(piece.data, piece.size));
    return next.in_memory.size() < pieces_max;
  });
  return next;
}

// The kernel moves the file's pages to the socket.
std::size_t send_file(int socket, const OutPiece& piece, boost::system::error_code& error) {
  off_t offset = piece.in.offset;
  const ssize_t sent = ::sendfile(socket, piece.in.file, &offset, piece.size);
  if (sent > 0) return static_cast<std::size_t>(sent);
  // None: the file is shorter than it was said to be.
  error.assign(sent < 0 ? errno : EIO, boost::system::system_category());
  return 0;
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

std::size_t Connection::send_some(boost::system::error_code& error) {
  const Next next = next_of(sending_, sent_);
  if (next.in_file) return send_file(socket_.native_handle(), *next.in_file, error);
  return socket_.send(next.in_memory, next.more ? MSG_MORE : 0, error);
}

// True: all is out. The usual case: the socket takes everything and no event is needed.
bool Connection::send_now() {
  while (sent_ < sending_.size()) {
    boost::system::error_code error;
    sent_ += send_some(error);
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
