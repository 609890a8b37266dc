#include "dispatch/find_coordinator.hpp"

#include "dispatch/permissions.hpp"
#include "runtime/shard_of.hpp"

#include <muster/protocol/apis.hpp>
#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/create_topics_response.hpp>
#include <muster/protocol/messages/find_coordinator_request.hpp>
#include <muster/protocol/messages/find_coordinator_response.hpp>

#include <algorithm>

namespace muster::host {
namespace {

using protocol::FindCoordinatorRequest;
using protocol::FindCoordinatorResponse;

constexpr std::int8_t group_key = 0;
constexpr std::int8_t transaction_key = 1;
constexpr std::int8_t share_key = 2;
constexpr std::int16_t first_with_batches = 4;
constexpr std::int16_t first_with_share = 6;
constexpr std::int16_t create_topics_version = 7;
constexpr std::int32_t create_timeout_ms = 10000;

bool is_share_key(std::string_view key) {
  // group:topicId:partition
  const std::size_t last = key.rfind(':');
  if (last == std::string_view::npos || last == 0) return false;
  const std::size_t middle = key.rfind(':', last - 1);
  if (middle == std::string_view::npos || middle == 0) return false;
  const std::string_view partition = key.substr(last + 1);
  return protocol::Uuid::from_string(key.substr(middle + 1, last - middle - 1)).has_value() &&
         !partition.empty() &&
         std::ranges::all_of(partition, [](char c) { return c >= '0' && c <= '9'; });
}

// Answers a CreateTopics of the host's own: whether the topic exists now.
class TopicCreated : public AnswerSink {
 public:
  explicit TopicCreated(std::function<void(bool)> done) : done_(std::move(done)) {}

  void deliver(std::uint64_t, Answer answer) override {
    OwnedAnswer kept(std::move(answer));
    kept.join();
    const auto response =
        protocol::decode<protocol::CreateTopicsResponse>(Bytes(kept.body), create_topics_version);
    const bool exists = response && response->topics.size() == 1 &&
                        (response->topics[0].error_code == code_of(Error::none) ||
                         response->topics[0].error_code == code_of(Error::topic_already_exists));
    done_(exists);
  }

 private:
  std::function<void(bool)> done_;
};

}  // namespace

struct FindCoordinator::Coordinator {
  Error error = Error::none;
  std::string message;
  std::int32_t node_id = -1;
  std::string host;
  std::int32_t port = -1;
};

const CoordinatorKind* FindCoordinator::kind_of(std::int8_t key_type) const {
  const auto found = std::ranges::find(parts_.kinds, key_type, &CoordinatorKind::key_type);
  return found == parts_.kinds.end() ? nullptr : &*found;
}

void FindCoordinator::answer(const muster_request& request, ReplyTo to) {
  const auto asked =
      protocol::decode<FindCoordinatorRequest>(from_abi(request.body), request.version);
  if (!asked) {
    to.deliver({AnswerKind::close, {}, {}});
    return;
  }
  const CoordinatorKind* const kind = kind_of(asked->key_type);
  const auto may_ask = [&](std::string_view key) {
    return refusal(request, asked->key_type, key).error == Error::none;
  };
  // Who is refused must not make a topic.
  const bool asks = request.version < first_with_batches
                        ? may_ask(asked->key)
                        : std::ranges::any_of(asked->coordinator_keys, may_ask);
  if (kind == nullptr || !asks || parts_.metadata->current()->by_name(kind->topic) != nullptr) {
    respond(request, to, true);
    return;
  }
  create_topic(*kind, std::make_shared<StoredRequest>(request), std::move(to));
}

void FindCoordinator::create_topic(const CoordinatorKind& kind,
                                   std::shared_ptr<StoredRequest> request, ReplyTo to) {
  protocol::CreateTopicsRequest create;
  create.timeout_ms = create_timeout_ms;
  auto& topic = create.topics.emplace_back();
  topic.name = kind.topic;
  topic.num_partitions = static_cast<std::int32_t>(kind.partitions);
  topic.replication_factor = -1;
  topic.configs.push_back({"cleanup.policy", "compact"});
  topic.configs.push_back({"compression.type", "producer"});
  InternalCall call{protocol::api::create_topics, create_topics_version, {}, {}, {}, {}};
  protocol::encode(create, create_topics_version, call.body);
  auto created = std::make_shared<TopicCreated>(
      [this, kept = std::move(request), answer_to = std::move(to)](bool exists) {
        respond(kept->request(), answer_to, exists);
      });
  parts_.caller->call(std::move(call), ReplyTo{std::move(created), 0});
}

FindCoordinator::Coordinator FindCoordinator::refusal(const muster_request& request,
                                                      std::int8_t key_type,
                                                      std::string_view key) const {
  const bool known = key_type == group_key || key_type == transaction_key ||
                     (key_type == share_key && request.version >= first_with_share);
  if (!known) return {Error::invalid_request, "Unknown coordinator key type.", -1, {}, -1};
  if (key_type == share_key && !is_share_key(key)) {
    return {
        Error::invalid_request, "A share coordinator key is group:topicId:partition.", -1, {}, -1};
  }
  const std::int32_t acl = key_type == transaction_key ? transactional_id_acl : group_acl;
  if (!is_allowed(parts_.authorize, request, {describe_operation, acl, key})) {
    return {key_type == transaction_key ? Error::transactional_id_authorization_failed
                                        : Error::group_authorization_failed,
            {},
            -1,
            {},
            -1};
  }
  return {};
}

FindCoordinator::Coordinator FindCoordinator::look_up(const muster_request& request,
                                                      std::int8_t key_type, std::string_view key,
                                                      bool topic_exists) const {
  if (Coordinator refused = refusal(request, key_type, key); refused.error != Error::none) {
    return refused;
  }
  const CoordinatorKind* const kind = kind_of(key_type);
  if (kind == nullptr) {
    return {
        Error::coordinator_not_available, "No plugin coordinates this kind of key.", -1, {}, -1};
  }
  if (!topic_exists) return {Error::coordinator_not_available, {}, -1, {}, -1};
  Coordinator found;
  BytesCollector host;
  std::uint64_t epoch = 0;
  const muster_code code =
      parts_.node->owner(parts_.node->self, to_abi(std::string_view(kind->space)),
                         shard_of(key, kind->partitions), host.sink(), &found.port, &epoch);
  if (code != MUSTER_OK) return {Error::coordinator_not_available, {}, -1, {}, -1};
  found.host = host.text();
  found.node_id = parts_.node->node_id(parts_.node->self);
  return found;
}

void FindCoordinator::respond(const muster_request& request, const ReplyTo& to,
                              bool topic_exists) const {
  const auto asked =
      protocol::decode<FindCoordinatorRequest>(from_abi(request.body), request.version);
  FindCoordinatorResponse response;
  Buffer body;
  if (request.version < first_with_batches) {
    const Coordinator found = look_up(request, asked->key_type, asked->key, topic_exists);
    response.error_code = code_of(found.error);
    response.error_message =
        found.message.empty() ? std::optional<std::string_view>() : found.message;
    response.node_id = found.node_id;
    response.host = found.host;
    response.port = found.port;
    protocol::encode(response, request.version, body);
    to.body(body);
    return;
  }
  std::vector<Coordinator> all;
  all.reserve(asked->coordinator_keys.size());
  for (const std::string_view key : asked->coordinator_keys) {
    const Coordinator& found =
        all.emplace_back(look_up(request, asked->key_type, key, topic_exists));
    auto& entry = response.coordinators.emplace_back();
    entry.key = key;
    entry.error_code = code_of(found.error);
    entry.error_message = found.message.empty() ? std::optional<std::string_view>() : found.message;
    entry.node_id = found.node_id;
    entry.host = found.host;
    entry.port = found.port;
  }
  protocol::encode(response, request.version, body);
  to.body(body);
}

}  // namespace muster::host
