// DescribeTopicPartitions: topics page by page, ascending by name, from a cursor on.
#include "apis/handlers.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <muster/protocol/messages/describe_topic_partitions_request.hpp>
#include <muster/protocol/messages/describe_topic_partitions_response.hpp>

#include "topics/topic_name.hpp"

namespace muster::embedded {
namespace {

using protocol::DescribeTopicPartitionsRequest;
using protocol::DescribeTopicPartitionsResponse;
using TopicResponse = DescribeTopicPartitionsResponse::DescribeTopicPartitionsResponseTopic;

class Page {
 public:
  Page(const Core& core, const sdk::Request& request, const DescribeTopicPartitionsRequest& body)
      : core_(core),
        request_(request),
        body_(body),
        topics_(core.topics.current()),
        node_id_(core.host.node_id()),
        all_(body.topics.empty()) {}

  DescribeTopicPartitionsResponse run() {
    collect_names();
    if (!valid_cursor()) return all_refused();
    left_ = std::clamp(body_.response_partition_limit, 1, core_.settings.max_described_partitions);
    for (const std::string_view name : names_) {
      if (!core_.may(request_, sdk::Operation::describe, name)) {
        if (!all_) hidden_.push_back(name);
      } else if (!done_) {
        describe(name);
      }
    }
    for (const std::string_view name : hidden_) {
      TopicResponse& out = response_.topics.emplace_back();
      out.error_code = protocol::code(Error::topic_authorization_failed);
      out.name = name;
    }
    return std::move(response_);
  }

 private:
  void collect_names() {
    const std::string_view first = body_.cursor ? body_.cursor->topic_name : std::string_view{};
    const auto add = [&](std::string_view name) {
      if (name >= first) names_.insert(name);
    };
    for (const auto& topic : body_.topics) add(topic.name);
    if (!all_) return;
    for (const TopicPtr& topic : topics_->all()) add(topic->name);
  }

  bool valid_cursor() const {
    if (!body_.cursor) return true;
    if (!all_ && !names_.contains(body_.cursor->topic_name)) return false;
    return body_.cursor->partition_index >= 0;
  }

  DescribeTopicPartitionsResponse all_refused() {
    for (const auto& topic : body_.topics) {
      TopicResponse& out = response_.topics.emplace_back();
      out.error_code = protocol::code(Error::invalid_request);
      out.name = topic.name;
    }
    return std::move(response_);
  }

  void describe(std::string_view name) {
    if (left_ == 0) return stop_at(name, 0);
    const Topic* topic = topics_->by_name(name);
    if (topic == nullptr) {
      if (!all_) add_unknown(name);
      return;
    }
    TopicResponse& out = response_.topics.emplace_back();
    out.name = name;
    out.topic_id = topic->id;
    out.is_internal = topic->internal;
    out.topic_authorized_operations = core_.topic_operations(request_, name);
    const auto count = static_cast<std::int32_t>(topic->partitions.size());
    std::int32_t index = first_partition(name);
    for (; index < count && left_ > 0; ++index, --left_) add_partition(index, out);
    if (index < count) stop_at(name, index);
  }

  std::int32_t first_partition(std::string_view name) const {
    return body_.cursor && body_.cursor->topic_name == name ? body_.cursor->partition_index : 0;
  }

  void add_unknown(std::string_view name) {
    TopicResponse& out = response_.topics.emplace_back();
    out.error_code = protocol::code(topic_name_fault(name) ? Error::invalid_topic_exception
                                                           : Error::unknown_topic_or_partition);
    out.name = name;
    out.is_internal = is_internal_topic(name);
    out.topic_authorized_operations = core_.topic_operations(request_, name);
  }

  void add_partition(std::int32_t index, TopicResponse& topic) const {
    auto& out = topic.partitions.emplace_back();
    out.partition_index = index;
    out.leader_id = node_id_;
    out.leader_epoch = Partition::leader_epoch;
    out.replica_nodes = {node_id_};
    out.isr_nodes = {node_id_};
    out.eligible_leader_replicas.emplace();
    out.last_known_elr.emplace();
  }

  void stop_at(std::string_view topic, std::int32_t partition) {
    done_ = true;
    response_.next_cursor.emplace();
    response_.next_cursor->topic_name = topic;
    response_.next_cursor->partition_index = partition;
  }

  const Core& core_;
  const sdk::Request& request_;
  const DescribeTopicPartitionsRequest& body_;
  const Topics topics_;
  const std::int32_t node_id_;
  const bool all_;
  std::set<std::string_view> names_;
  std::vector<std::string_view> hidden_;
  std::int32_t left_ = 0;
  bool done_ = false;
  DescribeTopicPartitionsResponse response_;
};

}  // namespace

void handle_describe_topic_partitions(Core& core, const sdk::Request& request,
                                      sdk::Answer& answer) {
  const auto body =
      protocol::decode<DescribeTopicPartitionsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  Page page(core, request, *body);
  reply(request, answer, page.run());
}

}  // namespace muster::embedded
