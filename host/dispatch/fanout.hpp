// A request in several parts: collects their answers and folds them into one, in part order.
//
// Threads: parts answer from any thread, each once; the last one folds.
#pragma once

#include "runtime/stored_request.hpp"

#include <atomic>
#include <functional>
#include <vector>

namespace muster::host {

class Fanout : public AnswerSink {
 public:
  // Folds the parts' bodies; false: it could not.
  using Join =
      std::function<bool(const muster_request&, const std::vector<muster_bytes>&, Buffer&)>;

  Fanout(const muster_request& request, std::size_t parts, Join join, ReplyTo to);

  void deliver(std::uint64_t slot, Answer answer) override;
  // Folds at once: a request without parts.
  void finish();

 private:
  StoredRequest request_;
  std::vector<OwnedAnswer> parts_;
  std::atomic<std::size_t> missing_;
  Join join_;
  ReplyTo to_;
};

}  // namespace muster::host
