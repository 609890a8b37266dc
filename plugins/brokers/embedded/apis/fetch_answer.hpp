// The body of a fetch response around batches that are sent as they lie in the log. Pure.
#pragma once

#include <memory>
#include <vector>

#include <muster/protocol/types.hpp>
#include <muster/sdk/broker.hpp>

#include "apis/fetch_plan.hpp"

namespace muster::embedded {

// Framing and stretches of logs in turn; keeps all of them until it has been sent.
struct FetchBody {
  protocol::Buffer framing;
  std::vector<StoredPiece> stored;
  std::vector<muster_piece> pieces;
};

std::unique_ptr<FetchBody> make_fetch_body(const FetchPlan& plan, FetchReads reads);

void send(std::unique_ptr<FetchBody> body, sdk::Answer& answer);

}  // namespace muster::embedded
