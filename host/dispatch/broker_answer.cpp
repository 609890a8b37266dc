#include "dispatch/broker_answer.hpp"

namespace muster::host {

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
  table_.none = [](void* self) { finish(self, {AnswerKind::none, {}, {}}); };
  table_.close = [](void* self) { finish(self, {AnswerKind::close, {}, {}}); };
}

void BrokerAnswer::finish(void* self, Answer answer) {
  const std::unique_ptr<BrokerAnswer> own(static_cast<BrokerAnswer*>(self));
  own->to_.deliver(std::move(answer));
}

}  // namespace muster::host
