#include "dispatch/fanout.hpp"

namespace muster::host {

Fanout::Fanout(const muster_request& request, std::size_t parts, Join join, ReplyTo to)
    : request_(request),
      parts_(parts),
      missing_(parts),
      join_(std::move(join)),
      to_(std::move(to)) {}

void Fanout::deliver(std::uint64_t slot, Answer answer) {
  OwnedAnswer& part = parts_[slot];
  part = OwnedAnswer(std::move(answer));
  part.join();
  if (missing_.fetch_sub(1, std::memory_order_acq_rel) == 1) finish();
}

void Fanout::finish() {
  std::vector<muster_bytes> bodies;
  bodies.reserve(parts_.size());
  for (const OwnedAnswer& part : parts_) {
    if (part.kind == AnswerKind::close || part.kind == AnswerKind::none) {
      to_.deliver({part.kind, {}, {}});
      return;
    }
    bodies.push_back(to_abi(Bytes(part.body)));
  }
  Buffer folded;
  if (join_(request_.request(), bodies, folded)) {
    to_.body(folded);
  } else {
    to_.deliver({AnswerKind::close, {}, {}});
  }
}

}  // namespace muster::host
