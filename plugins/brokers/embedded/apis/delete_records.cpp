// DeleteRecords: moves where logs start. Errors and their order are those of Kafka's
// ReplicaManager.
#include "apis/handlers.hpp"

#include <muster/protocol/messages/delete_records_request.hpp>
#include <muster/protocol/messages/delete_records_response.hpp>

namespace muster::embedded {
namespace {

using protocol::DeleteRecordsRequest;
using protocol::DeleteRecordsResponse;
using Asked = DeleteRecordsRequest::DeleteRecordsPartition;
using Result = DeleteRecordsResponse::DeleteRecordsPartitionResult;

Error remove(Core& core, const Topic& topic, const Asked& asked, Result& out) {
  constexpr std::int64_t all = -1;
  const auto* partition = topic.partition(asked.partition_index);
  if (partition == nullptr) return Error::unknown_topic_or_partition;
  if (topic.internal) return Error::invalid_topic_exception;
  if (topic.config->compacted && !topic.config->cut_by_retention) return Error::policy_violation;
  const std::int64_t offset = asked.offset == all ? (*partition)->offsets().end : asked.offset;
  if (offset < 0) return Error::offset_out_of_range;
  const Trimmed trimmed = (*partition)->trim(offset);
  if (!trimmed.fault.empty()) core.host.error("a log could not be cut: ", trimmed.fault);
  out.low_watermark = trimmed.start;
  return trimmed.error;
}

}  // namespace

void handle_delete_records(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<DeleteRecordsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  const Topics topics = core.topics.current();
  DeleteRecordsResponse response;
  for (const auto& asked : body->topics) {
    auto& topic_response = response.topics.emplace_back();
    topic_response.name = asked.name;
    const Topic* topic = topics->by_name(asked.name);
    const bool allowed = core.may(request, sdk::Operation::remove, asked.name);
    for (const Asked& partition : asked.partitions) {
      Result& out = topic_response.partitions.emplace_back();
      out.partition_index = partition.partition_index;
      out.low_watermark = -1;
      const Error error = !allowed           ? Error::topic_authorization_failed
                          : topic == nullptr ? Error::unknown_topic_or_partition
                                             : remove(core, *topic, partition, out);
      out.error_code = protocol::code(error);
    }
  }
  reply(request, answer, response);
}

}  // namespace muster::embedded
