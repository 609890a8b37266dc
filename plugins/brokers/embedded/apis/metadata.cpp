// Metadata: brokers, topics by name or id, and topics made because somebody asked for them.
#include "apis/handlers.hpp"
#include "apis/topic_creation.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <muster/protocol/messages/metadata_request.hpp>
#include <muster/protocol/messages/metadata_response.hpp>

#include "topics/topic_name.hpp"

namespace muster::embedded {
namespace {

using protocol::MetadataRequest;
using protocol::MetadataResponse;
using protocol::Uuid;
using TopicResponse = MetadataResponse::MetadataResponseTopic;

constexpr std::int16_t first_asking_by_id = 12;

bool asks_for_all(const MetadataRequest& body, std::int16_t version) {
  return !body.topics || (version == 0 && body.topics->empty());
}

// Versions 10 and 11 carry ids, but may not ask by them.
bool asks_too_early(const MetadataRequest& body, std::int16_t version) {
  if (version >= first_asking_by_id || !body.topics) return false;
  return std::ranges::any_of(
      *body.topics, [](const auto& topic) { return !topic.name || !topic.topic_id.is_zero(); });
}

class Description {
 public:
  Description(Core& core, const sdk::Request& request, const MetadataRequest& body)
      : core_(core),
        request_(request),
        body_(body),
        topics_(core.topics.current()),
        endpoint_(core.host.advertised(request.listener())),
        node_id_(core.host.node_id()),
        cluster_id_(core.metadata->cluster_id()) {}

  MetadataResponse run() {
    if (asks_too_early(body_, request_.version())) return all_refused();
    describe_cluster();
    if (asks_for_all(body_, request_.version())) {
      for (const TopicPtr& topic : topics_->all()) {
        if (may_describe(topic->name)) add(*topic);
      }
    } else if (asks_by_id()) {
      describe_ids();
    } else {
      describe_names();
    }
    return std::move(response_);
  }

 private:
  void describe_cluster() {
    auto& broker = response_.brokers.emplace_back();
    broker.node_id = node_id_;
    broker.host = endpoint_.host;
    broker.port = endpoint_.port;
    if (!core_.settings.rack.empty()) broker.rack = core_.settings.rack;
    response_.cluster_id = cluster_id_;
    response_.controller_id = node_id_;
    constexpr std::int16_t first_with_operations = 8;
    constexpr std::int16_t last_with_operations = 10;
    if (body_.include_cluster_authorized_operations &&
        request_.version() >= first_with_operations && request_.version() <= last_with_operations) {
      const bool visible = core_.allowed(request_, sdk::Operation::describe, sdk::Resource::cluster,
                                         Core::cluster_name);
      response_.cluster_authorized_operations = visible ? core_.cluster_operations(request_) : 0;
    }
  }

  bool may_describe(std::string_view topic) const {
    return core_.may(request_, sdk::Operation::describe, topic);
  }

  bool asks_by_id() const {
    return std::ranges::any_of(*body_.topics,
                               [](const auto& topic) { return !topic.topic_id.is_zero(); });
  }

  MetadataResponse all_refused() {
    response_.error_code = protocol::code(Error::invalid_request);
    for (const auto& asked : *body_.topics) {
      TopicResponse& out = response_.topics.emplace_back();
      out.error_code = protocol::code(Error::invalid_request);
      out.name = asked.name.value_or("");
      out.topic_id = asked.topic_id;
    }
    return std::move(response_);
  }

  void describe_ids() {
    std::set<Uuid> seen;
    for (const auto& asked : *body_.topics) {
      if (asked.topic_id.is_zero() || !seen.insert(asked.topic_id).second) continue;
      const Topic* topic = topics_->by_id(asked.topic_id);
      if (topic == nullptr) {
        add_fault(Error::unknown_topic_id, std::nullopt).topic_id = asked.topic_id;
      } else if (!may_describe(topic->name)) {
        add_fault(Error::topic_authorization_failed, std::nullopt).topic_id = topic->id;
      } else {
        add(*topic);
      }
    }
  }

  void describe_names() {
    std::set<std::string_view> seen;
    std::vector<std::string_view> missing;
    for (const auto& asked : *body_.topics) {
      const std::string_view name = asked.name.value_or("");
      if (!seen.insert(name).second) continue;
      const Topic* topic = topics_->by_name(name);
      if (!may_describe(name)) {
        add_fault(Error::topic_authorization_failed, name);
      } else if (topic != nullptr) {
        add(*topic);
      } else {
        missing.push_back(name);
      }
    }
    describe_missing(missing);
  }

  // A topic that is made now is still unknown in this answer, as in Kafka: the client asks again.
  void describe_missing(const std::vector<std::string_view>& missing) {
    const bool create = core_.settings.auto_create_topics && body_.allow_auto_topic_creation;
    std::vector<std::string_view> wanted;
    for (const std::string_view name : missing) {
      const bool legal = !topic_name_fault(name);
      if (create && !may_create(name)) {
        TopicResponse& out = add_fault(Error::topic_authorization_failed, name);
        out.is_internal = is_internal_topic(name);
        continue;
      }
      TopicResponse& out = add_fault(
          legal ? Error::unknown_topic_or_partition : Error::invalid_topic_exception, name);
      out.is_internal = is_internal_topic(name);
      show_operations(name, out);
      if (create && legal && !out.is_internal) wanted.push_back(name);
    }
    create_all(wanted);
  }

  bool may_create(std::string_view name) const {
    return core_.allowed(request_, sdk::Operation::create, sdk::Resource::cluster,
                         Core::cluster_name) ||
           core_.may(request_, sdk::Operation::create, name);
  }

  void create_all(const std::vector<std::string_view>& names) {
    if (names.empty()) return;
    if (std::ssize(names) > max_partitions_per_request / core_.settings.num_partitions) {
      core_.host.warn("auto topic creation failed: ", names.size(), " topics of ",
                      core_.settings.num_partitions, " partitions are too many for one request");
      return;
    }
    TopicRegistry::Change change = core_.topics.change();
    for (const std::string_view name : names) {
      WantedTopic wanted;
      wanted.name = name;
      auto topic = judge_topic(core_, change, wanted);
      if (topic) {
        change.create(*std::move(topic));
      } else if (topic.error().error != Error::topic_already_exists) {
        core_.host.warn("auto topic creation failed for ", name, ": ", topic.error().message);
      }
    }
    if (auto done = change.commit(); !done) {
      core_.report("topics could not be created: ", done.error());
    }
  }

  TopicResponse& add_fault(Error error, std::optional<std::string_view> name) {
    TopicResponse& out = response_.topics.emplace_back();
    out.error_code = protocol::code(error);
    out.name = name;
    return out;
  }

  void add(const Topic& topic) {
    TopicResponse& out = response_.topics.emplace_back();
    out.name = topic.name;
    out.topic_id = topic.id;
    out.is_internal = topic.internal;
    out.partitions.resize(topic.partitions.size());
    for (std::size_t i = 0; i < topic.partitions.size(); ++i) {
      auto& partition = out.partitions[i];
      partition.partition_index = static_cast<std::int32_t>(i);
      partition.leader_id = node_id_;
      partition.leader_epoch = Partition::leader_epoch;
      partition.replica_nodes = {node_id_};
      partition.isr_nodes = {node_id_};
    }
    show_operations(topic.name, out);
  }

  void show_operations(std::string_view topic, TopicResponse& out) const {
    if (!body_.include_topic_authorized_operations) return;
    out.topic_authorized_operations = core_.topic_operations(request_, topic);
  }

  Core& core_;
  const sdk::Request& request_;
  const MetadataRequest& body_;
  const Topics topics_;
  const sdk::Endpoint endpoint_;
  const std::int32_t node_id_;
  const std::string cluster_id_;
  MetadataResponse response_;
};

}  // namespace

void handle_metadata(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<MetadataRequest>(request.body(), request.version());
  if (!body) return answer.close();
  Description description(core, request, *body);
  reply(request, answer, description.run());
}

}  // namespace muster::embedded
