// A request that outlives its frame: it waits in a shard's queue, is parked, or its answer is held.
// One allocation holds all its strings and its body. Any thread, one owner.
#pragma once

#include <memory>

#include "runtime/answer.hpp"

namespace muster::host {

class StoredRequest {
 public:
  explicit StoredRequest(const muster_request& source);
  StoredRequest(const StoredRequest&) = delete;
  StoredRequest& operator=(const StoredRequest&) = delete;

  const muster_request& request() const { return request_; }
  std::size_t size() const { return size_; }

 private:
  std::unique_ptr<std::uint8_t[]> memory_;
  std::size_t size_ = 0;
  muster_request request_{};
};

// A request and where its answer goes. `stored` is empty while the frame itself is still there.
struct PendingRequest {
  const muster_request* request = nullptr;
  std::unique_ptr<StoredRequest> stored;
  ReplyTo to;

  // Makes it independent of the frame, and of the copy that it is handled with.
  void keep() {
    if (!stored) stored = std::make_unique<StoredRequest>(*request);
    request = &stored->request();
  }
};

}  // namespace muster::host
