#include "dispatch/broker_answer.hpp"

#include <unistd.h>

#include <cerrno>
#include <span>

namespace muster::host {
namespace {

// Appends a stretch of a file; false where it cannot be read or ends too early.
bool read_piece(const muster_piece& piece, Buffer& out) {
  const std::size_t begin = out.size();
  out.resize(begin + piece.size);
  for (std::size_t have = 0; have < piece.size;) {
    const ssize_t got = ::pread(piece.file, out.data() + begin + have, piece.size - have,
                                static_cast<off_t>(piece.offset + have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    have += static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

BrokerAnswer::BrokerAnswer(ReplyTo to) : to_(std::move(to)) {
  table_.struct_size = sizeof table_;
  table_.self = this;
  table_.body = [](void* self, muster_bytes body) {
    finish(self, {AnswerKind::body, from_abi(body), {}});
  };
  table_.parts = [](void* self, const muster_bytes* parts, std::uint32_t count,
                    muster_release release, void* owner) {
    finish(self, {AnswerKind::shared, {}, SharedParts(parts, count, release, owner)});
  };
  table_.pieces = &finish_pieces;
  table_.none = [](void* self) { finish(self, {AnswerKind::none, {}, {}}); };
  table_.close = [](void* self) { finish(self, {AnswerKind::close, {}, {}}); };
}

void BrokerAnswer::finish(void* self, Answer answer) {
  const std::unique_ptr<BrokerAnswer> own(static_cast<BrokerAnswer*>(self));
  own->to_.deliver(std::move(answer));
}

// For sinks within the host all of it is brought into memory.
void BrokerAnswer::finish_pieces(void* self, const muster_piece* pieces, std::uint32_t count,
                                 muster_release release, void* owner) {
  SharedParts parts(pieces, count, release, owner);
  const ReplyTo& to = static_cast<BrokerAnswer*>(self)->to_;
  if (parts.files().empty() || !to.sink || to.sink->takes_files()) {
    return finish(self, {AnswerKind::shared, {}, std::move(parts)});
  }
  Buffer body;
  for (const muster_piece& piece : std::span(pieces, count)) {
    if (piece.data != nullptr) {
      body.insert(body.end(), piece.data, piece.data + piece.size);
    } else if (!read_piece(piece, body)) {
      return finish(self, {AnswerKind::close, {}, {}});
    }
  }
  finish(self, {AnswerKind::body, body, {}});
}

}  // namespace muster::host
