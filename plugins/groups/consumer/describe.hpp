// ConsumerGroupDescribe: one group as tools see it, and the bodies that refuse. Reads only.
#pragma once

#include <muster/protocol/messages/consumer_group_describe_request.hpp>
#include <muster/protocol/messages/consumer_group_describe_response.hpp>
#include <muster/sdk/request.hpp>

#include "context.hpp"
#include "refusal.hpp"

namespace muster::consumer {

using DescribeRequest = protocol::ConsumerGroupDescribeRequest;
using DescribeResponse = protocol::ConsumerGroupDescribeResponse;

// [shard] Answers for each group id of the message, which all are this shard's.
void describe(const Context& context, const sdk::Request& request, const DescribeRequest& message,
              sdk::Decision& decision);

// [any] Each group id of the message with this error.
protocol::Buffer refuse_description(const DescribeRequest& message, std::int16_t version,
                                    protocol::Error error);

}  // namespace muster::consumer
