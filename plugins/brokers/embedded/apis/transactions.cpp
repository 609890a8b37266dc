// DescribeTransactions, ListTransactions: nobody coordinates transactions here, so there are none.
// RE2 is what Kafka's server matches transactional ids with.
#include "apis/handlers.hpp"

#include <re2/re2.h>

#include <algorithm>

#include <muster/protocol/messages/describe_transactions_request.hpp>
#include <muster/protocol/messages/describe_transactions_response.hpp>
#include <muster/protocol/messages/list_transactions_request.hpp>
#include <muster/protocol/messages/list_transactions_response.hpp>

namespace muster::embedded {
namespace {

constexpr std::string_view states[] = {
    "Empty",          "Ongoing",       "PrepareCommit",     "PrepareAbort",
    "CompleteCommit", "CompleteAbort", "PrepareEpochFence", "Dead"};

Error judge(const Core& core, const sdk::Request& request, std::string_view id) {
  if (id.empty()) return Error::invalid_request;
  const bool allowed =
      core.allowed(request, sdk::Operation::describe, sdk::Resource::transactional_id, id);
  return allowed ? Error::not_coordinator : Error::transactional_id_authorization_failed;
}

bool is_regex(std::string_view pattern) {
  return RE2(re2::StringPiece(pattern.data(), pattern.size()), RE2::Quiet).ok();
}

}  // namespace

void handle_describe_transactions(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body =
      protocol::decode<protocol::DescribeTransactionsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  protocol::DescribeTransactionsResponse response;
  for (const std::string_view id : body->transactional_ids) {
    auto& result = response.transaction_states.emplace_back();
    result.transactional_id = id;
    result.error_code = protocol::code(judge(core, request, id));
  }
  reply(request, answer, response);
}

void handle_list_transactions(Core&, const sdk::Request& request, sdk::Answer& answer) {
  const auto body =
      protocol::decode<protocol::ListTransactionsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  protocol::ListTransactionsResponse response;
  if (!is_regex(body->transactional_id_pattern.value_or(""))) {
    response.error_code = protocol::code(Error::invalid_regular_expression);
    return reply(request, answer, response);
  }
  for (const std::string_view state : body->state_filters) {
    if (std::ranges::find(states, state) == std::end(states)) {
      response.unknown_state_filters.push_back(state);
    }
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
