// Produce: one batch a partition, checked outside the partition's lock, appended inside it.
#include "apis/handlers.hpp"

#include <deque>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <muster/protocol/messages/produce_request.hpp>
#include <muster/protocol/messages/produce_response.hpp>

#include "records/batch_check.hpp"

namespace muster::embedded {
namespace {

using protocol::ProduceRequest;
using protocol::ProduceResponse;
using PartitionResponse = ProduceResponse::PartitionProduceResponse;

constexpr std::int16_t first_with_ids = 13;
constexpr std::string_view admin_client = "__admin_client";

// Of the batches that are transactional: what decides about the whole request.
struct TransactionalBatches {
  bool any = false;
  std::set<std::pair<std::int64_t, std::int16_t>> producers;
};

TransactionalBatches find_transactional(const ProduceRequest& body) {
  TransactionalBatches found;
  for (const auto& topic : body.topic_data) {
    for (const auto& partition : topic.partition_data) {
      const auto batch =
          protocol::RecordBatchView::first(partition.records.value_or(protocol::Bytes{}));
      if (!batch || !batch->is_transactional()) continue;
      found.any = true;
      if (batch->has_producer_id()) {
        found.producers.emplace(batch->producer_id(), batch->producer_epoch());
      }
    }
  }
  return found;
}

class Production {
 public:
  Production(Core& core, const sdk::Request& request, const ProduceRequest& body)
      : core_(core),
        request_(request),
        body_(body),
        topics_(core.topics.current()),
        now_ms_(core.host.wall_ms()) {}

  // The whole request is refused, whatever its partitions are.
  Refusal request_fault() const {
    const TransactionalBatches transactional = find_transactional(body_);
    if (!transactional.any) return {Error::none};
    const bool allowed = body_.transactional_id &&
                         core_.allowed(request_, sdk::Operation::write,
                                       sdk::Resource::transactional_id, *body_.transactional_id);
    if (!allowed) {
      return {Error::transactional_id_authorization_failed,
              "Transactional Id authorization failed."};
    }
    if (transactional.producers.size() > 1) {
      return {Error::invalid_producer_id_mapping,
              "Transactional records contained more than one producer ID"};
    }
    return {Error::none};
  }

  ProduceResponse run(const Refusal& request_fault) {
    ProduceResponse response;
    for (const auto& topic_data : body_.topic_data) {
      auto& topic_response = response.responses.emplace_back();
      topic_response.name = topic_data.name;
      topic_response.topic_id = topic_data.topic_id;
      const Topic* topic = find(topic_data);
      const bool refused = request_fault.error != Error::none;
      const Error refusal = refused ? request_fault.error : refusal_of(topic_data, topic);
      for (const auto& data : topic_data.partition_data) {
        auto& out = topic_response.partition_responses.emplace_back();
        out.index = data.index;
        out.base_offset = -1;
        if (refusal == Error::none) {
          produce(*topic, data, out);
        } else {
          out.error_code = protocol::code(refusal);
          if (refused) out.error_message = request_fault.message;
        }
        failed_ |= out.error_code != 0;
      }
    }
    return response;
  }

  bool failed() const { return failed_; }

 private:
  const Topic* find(const ProduceRequest::TopicProduceData& data) const {
    return request_.version() >= first_with_ids ? topics_->by_id(data.topic_id)
                                                : topics_->by_name(data.name);
  }

  Error refusal_of(const ProduceRequest::TopicProduceData& data, const Topic* topic) const {
    const bool by_id = request_.version() >= first_with_ids;
    if (topic == nullptr && by_id) return Error::unknown_topic_id;
    const std::string_view name = topic == nullptr ? data.name : topic->name;
    if (!core_.may(request_, sdk::Operation::write, name)) {
      return Error::topic_authorization_failed;
    }
    return topic == nullptr ? Error::unknown_topic_or_partition : Error::none;
  }

  void produce(const Topic& topic, const ProduceRequest::PartitionProduceData& data,
               PartitionResponse& out) {
    const auto* partition = topic.partition(data.index);
    if (partition == nullptr || (*partition)->closed()) {
      return refuse(out, Error::unknown_topic_or_partition);
    }
    const auto batch = produced_batch(data.records.value_or(protocol::Bytes{}), request_.version());
    if (!batch) return refuse(out, batch.error());
    // No transaction was ever begun here, so nobody holds such a producer id.
    if (batch->is_transactional()) return refuse(out, Error::invalid_producer_id_mapping);
    if (body_.acks < -1 || body_.acks > 1) return refuse(out, Error::invalid_required_acks);
    if (topic.internal && request_.client_id() != admin_client && request_.connection() != 0) {
      return refuse(out, Error::invalid_topic_exception);
    }
    auto checked = check_batch(*batch, {*topic.config, topic.name, data.index, now_ms_});
    if (!checked) return refuse(out, std::move(checked.error()), **partition);
    append(**partition, *checked, topic.config->flush_messages, out);
  }

  void append(Partition& partition, const CheckedBatch& batch, std::int64_t flush_messages,
              PartitionResponse& out) {
    const Appended appended = partition.append(batch, {now_ms_, flush_messages});
    if (!appended.fault.empty()) {
      core_.host.error("a log could not be written: ", appended.fault);
    }
    out.error_code = protocol::code(appended.error);
    out.base_offset = appended.base_offset;
    out.log_append_time_ms = appended.append_time_ms;
    out.log_start_offset = appended.log_start_offset;
  }

  static void refuse(PartitionResponse& out, Error error) {
    out.error_code = protocol::code(error);
  }

  void refuse(PartitionResponse& out, Refusal refusal, const Partition& partition) {
    out.error_code = protocol::code(refusal.error);
    if (refusal.error != Error::message_too_large && refusal.error != Error::corrupt_message &&
        refusal.error != Error::record_list_too_large) {
      out.log_start_offset = partition.offsets().start;
    }
    // The response only points to texts.
    Refusal& kept = refusals_.emplace_back(std::move(refusal));
    if (!kept.message.empty()) out.error_message = kept.message;
    for (const RecordError& error : kept.record_errors) {
      out.record_errors.push_back({error.batch_index, error.message});
    }
  }

  Core& core_;
  const sdk::Request& request_;
  const ProduceRequest& body_;
  const Topics topics_;
  const std::int64_t now_ms_;
  std::deque<Refusal> refusals_;
  bool failed_ = false;
};

}  // namespace

void handle_produce(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  // Versions 0 to 2 are only listed, for the sake of old clients; decode refuses them.
  const auto body = protocol::decode<ProduceRequest>(request.body(), request.version());
  if (!body) return answer.close();
  Production production(core, request, *body);
  const Refusal request_fault = production.request_fault();
  const ProduceResponse response = production.run(request_fault);
  if (body->acks != 0) return reply(request, answer, response);
  return production.failed() ? answer.close() : answer.none();
}

}  // namespace muster::embedded
