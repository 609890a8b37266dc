#include "net/answer_queue.hpp"

namespace muster::host {
namespace {

void put_int32(Buffer& out, std::uint32_t value) {
  const std::uint8_t bytes[] = {static_cast<std::uint8_t>(value >> 24),
                                static_cast<std::uint8_t>(value >> 16),
                                static_cast<std::uint8_t>(value >> 8),
                                static_cast<std::uint8_t>(value)};
  out.insert(out.end(), bytes, bytes + sizeof bytes);
}

}  // namespace

std::uint64_t AnswerQueue::open(const ResponseShape& shape) {
  waiting_.push_back({shape, false, {}});
  unanswered_bytes_ += shape.request_bytes;
  return head_ + waiting_.size() - 1;
}

void AnswerQueue::append(const ResponseShape& shape, Answer answer, OutBuffer& out) {
  const bool shared = answer.kind == AnswerKind::shared;
  const std::size_t body = shared ? answer.shared.size() : answer.body.size();
  const std::size_t header = shape.flexible_header ? 5 : 4;
  Buffer& bytes = out.bytes();
  put_int32(bytes, static_cast<std::uint32_t>(header + body));
  put_int32(bytes, static_cast<std::uint32_t>(shape.correlation_id));
  if (shape.flexible_header) bytes.push_back(0);
  if (shared) {
    out.append(std::move(answer.shared));
  } else {
    bytes.insert(bytes.end(), answer.body.begin(), answer.body.end());
  }
}

bool AnswerQueue::send_front(Answer answer, OutBuffer& out) {
  const ResponseShape shape = waiting_.front().shape;
  waiting_.pop_front();
  ++head_;
  unanswered_bytes_ -= shape.request_bytes;
  if (answer.kind == AnswerKind::close) return false;
  if (answer.kind != AnswerKind::none) append(shape, std::move(answer), out);
  return true;
}

bool AnswerQueue::fill(std::uint64_t slot, Answer answer, OutBuffer& out) {
  if (closing_) return false;
  if (slot < head_ || slot - head_ >= waiting_.size()) return true;
  if (slot != head_) {
    Waiting& waiting = waiting_[slot - head_];
    waiting.answered = true;
    waiting.answer = OwnedAnswer(std::move(answer));
    return true;
  }
  if (!send_front(std::move(answer), out)) {
    closing_ = true;
    return false;
  }
  while (!waiting_.empty() && waiting_.front().answered) {
    OwnedAnswer next = std::move(waiting_.front().answer);
    if (!send_front(next.release(), out)) {
      closing_ = true;
      return false;
    }
  }
  return true;
}

}  // namespace muster::host
