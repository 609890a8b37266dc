// Puts the answers of one connection into request order, whatever order they are made in, and
// frames them. Not thread-safe: lives on the connection's thread.
#pragma once

#include "net/out_buffer.hpp"

#include <deque>

namespace muster::host {

// What a response frame needs to know of its request.
struct ResponseShape {
  std::int32_t correlation_id = 0;
  bool flexible_header = false;
  std::size_t request_bytes = 0;
};

class AnswerQueue {
 public:
  // A request came; its answer is due. The slot is its place in the order.
  std::uint64_t open(const ResponseShape& shape);
  // Its answer. Appends to `out` whatever is next in order now. False: the connection must close
  // after what was appended.
  [[nodiscard]] bool fill(std::uint64_t slot, Answer answer, OutBuffer& out);

  std::size_t unanswered() const { return waiting_.size(); }
  std::size_t unanswered_bytes() const { return unanswered_bytes_; }

 private:
  struct Waiting {
    ResponseShape shape;
    bool answered = false;
    OwnedAnswer answer;
  };

  static void append(const ResponseShape& shape, Answer answer, OutBuffer& out);
  bool send_front(Answer answer, OutBuffer& out);

  std::uint64_t head_ = 0;
  std::deque<Waiting> waiting_;
  std::size_t unanswered_bytes_ = 0;
  bool closing_ = false;
};

}  // namespace muster::host
