// ElectLeaders: the one replica leads already.
#include "apis/handlers.hpp"

#include <deque>

#include <muster/sdk/text.hpp>

#include <muster/protocol/messages/elect_leaders_request.hpp>
#include <muster/protocol/messages/elect_leaders_response.hpp>

namespace muster::embedded {
namespace {

using protocol::ElectLeadersRequest;
using protocol::ElectLeadersResponse;

constexpr std::int8_t preferred = 0;
constexpr std::int8_t unclean = 1;

class Election {
 public:
  Election(const Core& core, const sdk::Request& request, const ElectLeadersRequest& body)
      : topics_(core.topics.current()),
        denied_(!core.may_cluster(request, sdk::Operation::alter)),
        body_(body) {}

  ElectLeadersResponse run() {
    const bool unknown = body_.election_type != preferred && body_.election_type != unclean;
    if (denied_) refuse_all(Error::cluster_authorization_failed, std::string(cluster_denied));
    if (!denied_ && unknown) {
      refuse_all(Error::invalid_request,
                 sdk::text("Unknown election type ", static_cast<int>(body_.election_type)));
    }
    if (!body_.topic_partitions) {
      // As Kafka: of every topic, the partitions that an election changes.
      if (response_.error_code == 0) add_all_topics();
      return std::move(response_);
    }
    for (const auto& asked : *body_.topic_partitions) {
      auto& topic = response_.replica_election_results.emplace_back();
      topic.topic = asked.topic;
      for (const std::int32_t partition : asked.partitions) {
        auto& result = topic.partition_result.emplace_back();
        result.partition_id = partition;
        result.error_code = protocol::code(refused_.error);
        result.error_message = refused_.why;
        if (refused_.error == Error::none) judge(asked.topic, partition, result);
      }
    }
    return std::move(response_);
  }

 private:
  struct Refusal {
    Error error = Error::none;
    std::string why{};
  };

  void refuse_all(Error error, std::string why) {
    refused_ = {error, std::move(why)};
    response_.error_code = protocol::code(error);
  }

  void add_all_topics() {
    for (const TopicPtr& topic : topics_->all()) {
      response_.replica_election_results.push_back({topic->name, {}});
    }
  }

  void judge(std::string_view name, std::int32_t partition,
             ElectLeadersResponse::PartitionResult& result) {
    const Topic* topic = topics_->by_name(name);
    if (topic != nullptr && topic->partition(partition) != nullptr) {
      result.error_code = protocol::code(Error::election_not_needed);
      result.error_message = "Leader election not needed for topic partition.";
      return;
    }
    result.error_code = protocol::code(Error::unknown_topic_or_partition);
    result.error_message = texts_.emplace_back(
        topic == nullptr ? sdk::text("No such topic as ", name)
                         : sdk::text("No such partition as ", name, "-", partition));
  }

  const Topics topics_;
  const bool denied_;
  const ElectLeadersRequest& body_;
  Refusal refused_;
  ElectLeadersResponse response_;
  std::deque<std::string> texts_;  // the response only points to them
};

}  // namespace

void handle_elect_leaders(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<ElectLeadersRequest>(request.body(), request.version());
  if (!body) return answer.close();
  Election election(core, request, *body);
  reply(request, answer, election.run());
}

}  // namespace muster::embedded
