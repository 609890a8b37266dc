// What must hold of a batch before a client may append it, in Kafka's order of checks; and the
// copy of it that will be stored. Pure functions.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include <muster/protocol/errors.hpp>
#include <muster/protocol/record_batch.hpp>

#include "topics/topic_config.hpp"

namespace muster::embedded {

struct RecordError {
  std::int32_t batch_index = 0;
  std::string message;
};

struct Refusal {
  protocol::Error error = protocol::Error::unknown_server_error;
  std::string message = {};                  // empty: none is sent
  std::vector<RecordError> record_errors = {};
};

// The one batch in the `records` of a produce request, or why there is not exactly one that the
// request's version may carry.
std::expected<protocol::RecordBatchView, protocol::Error> produced_batch(protocol::Bytes records,
                                                                         std::int16_t version);

// A batch of its own memory, valid, waiting for its offset.
struct CheckedBatch {
  std::shared_ptr<std::uint8_t[]> bytes;
  std::size_t size = 0;
  std::int64_t append_time_ms = -1;  // where the topic's timestamps are the broker's

  protocol::RecordBatchView view() const {
    return *protocol::RecordBatchView::first(protocol::Bytes{bytes.get(), size});
  }
};

struct CheckContext {
  const TopicConfig& config;
  std::string_view topic;
  std::int32_t partition = 0;
  std::int64_t now_ms = 0;
};

std::expected<CheckedBatch, Refusal> check_batch(const protocol::RecordBatchView& batch,
                                                 const CheckContext& context);

}  // namespace muster::embedded
