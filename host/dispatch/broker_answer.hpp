// The object a broker answers a request with: once, from any thread; gone afterwards.
#pragma once

#include "runtime/answer.hpp"

#include <muster/abi/broker.h>

namespace muster::host {

class BrokerAnswer {
 public:
  explicit BrokerAnswer(ReplyTo to);
  BrokerAnswer(const BrokerAnswer&) = delete;
  BrokerAnswer& operator=(const BrokerAnswer&) = delete;

  const muster_answer* table() const { return &table_; }

 private:
  static void finish(void* self, Answer answer);
  static void finish_pieces(void* self, const muster_piece* pieces, std::uint32_t count,
                            muster_release release, void* owner);

  ReplyTo to_;
  muster_answer table_{};
};

}  // namespace muster::host
