// DescribeProducers: who wrote to a partition with a producer id and is remembered.
#include "apis/handlers.hpp"

#include <deque>

#include <muster/protocol/messages/describe_producers_request.hpp>
#include <muster/protocol/messages/describe_producers_response.hpp>

#include "topics/topic_name.hpp"

namespace muster::embedded {
namespace {

using protocol::DescribeProducersRequest;
using protocol::DescribeProducersResponse;
using Result = DescribeProducersResponse::PartitionResponse;

constexpr std::int32_t no_coordinator = -1;  // of transactions

void show_producers(const Core& core, Partition& partition, Result& result) {
  for (const auto& producer : partition.producers(core.host.wall_ms())) {
    auto& shown = result.active_producers.emplace_back();
    shown.producer_id = producer.producer_id;
    shown.producer_epoch = producer.epoch;
    shown.last_sequence = producer.last_sequence;
    shown.last_timestamp = producer.last_timestamp;
    shown.coordinator_epoch = no_coordinator;
  }
}

class Description {
 public:
  Description(const Core& core, const sdk::Request& request)
      : core_(core), request_(request), topics_(core.topics.current()) {}

  DescribeProducersResponse run(const DescribeProducersRequest& body) {
    for (const auto& asked : body.topics) {
      auto& topic = response_.topics.emplace_back();
      topic.name = asked.name;
      const std::string name(asked.name);
      for (const std::int32_t index : asked.partition_indexes) {
        Result& result = topic.partitions.emplace_back();
        result.partition_index = index;
        describe(name, result);
      }
    }
    return std::move(response_);
  }

 private:
  void describe(const std::string& name, Result& result) {
    if (auto wrong = topic_name_fault(name)) {
      return refuse(result, Error::invalid_topic_exception, *std::move(wrong));
    }
    if (!core_.may(request_, sdk::Operation::read, name)) {
      return refuse(result, Error::topic_authorization_failed, "Topic authorization failed.");
    }
    const Topic* topic = topics_->by_name(name);
    if (topic == nullptr) {
      return refuse(result, Error::unknown_topic_or_partition,
                    "This server does not host this topic-partition.");
    }
    const auto* partition = topic->partition(result.partition_index);
    if (partition == nullptr) {
      result.error_code = protocol::code(Error::unknown_topic_or_partition);
      return;
    }
    show_producers(core_, **partition, result);
  }

  void refuse(Result& result, Error error, std::string why) {
    result.error_code = protocol::code(error);
    result.error_message = texts_.emplace_back(std::move(why));
  }

  const Core& core_;
  const sdk::Request& request_;
  const Topics topics_;
  DescribeProducersResponse response_;
  std::deque<std::string> texts_;  // the response only points to them
};

}  // namespace

void handle_describe_producers(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<DescribeProducersRequest>(request.body(), request.version());
  if (!body) return answer.close();
  Description description(core, request);
  reply(request, answer, description.run(*body));
}

}  // namespace muster::embedded
