// CreatePartitions.
#include "apis/handlers.hpp"
#include "apis/topic_creation.hpp"

#include <deque>
#include <map>
#include <optional>
#include <utility>

#include <muster/protocol/messages/create_partitions_request.hpp>
#include <muster/protocol/messages/create_partitions_response.hpp>
#include <muster/sdk/text.hpp>

namespace muster::embedded {
namespace {

using protocol::CreatePartitionsRequest;
using protocol::CreatePartitionsResponse;

class Growing {
 public:
  Growing(Core& core, const sdk::Request& request, const CreatePartitionsRequest& body)
      : core_(core), request_(request), body_(body), change_(core.topics.change()) {}

  CreatePartitionsResponse run() {
    std::map<std::string_view, int> times;
    for (const auto& asked : body_.topics) ++times[asked.name];
    for (const auto& asked : body_.topics) {
      int& count = times[asked.name];
      if (count == 0) continue;  // a repeated name was answered once
      if (count > 1) {
        result(asked.name, {Error::invalid_request, "Duplicate topic name."});
        count = 0;
      } else if (!core_.may(request_, sdk::Operation::alter, asked.name)) {
        result(asked.name, {Error::topic_authorization_failed, {}});
      } else {
        result(asked.name, grow(asked));
      }
    }
    if (added_ > max_partitions_per_request) return all_refused();
    if (auto done = change_.commit(); !done) {
      core_.report("partitions could not be created: ", done.error());
      for (auto& out : response_.results) {
        if (out.error_code == 0) out.error_code = protocol::code(Error::unknown_server_error);
      }
    }
    return std::move(response_);
  }

 private:
  TopicFault grow(const CreatePartitionsRequest::CreatePartitionsTopic& asked) {
    const Topic* topic = change_.before().by_name(asked.name);
    if (topic == nullptr) return {Error::unknown_topic_or_partition, {}};
    const auto now = static_cast<std::int32_t>(topic->partitions.size());
    if (asked.count == now) {
      return {Error::invalid_partitions, sdk::text("Topic already has ", now, " partition(s).")};
    }
    if (asked.count < now) {
      return {Error::invalid_partitions,
              sdk::text("The topic ", asked.name, " currently has ", now, " partition(s); ",
                        asked.count, " would not be an increase.")};
    }
    if (auto wrong = assignments_fault(asked, asked.count - now)) {
      return {Error::invalid_replica_assignment, *std::move(wrong)};
    }
    added_ += asked.count - now;
    if (!body_.validate_only && added_ <= max_partitions_per_request) {
      change_.grow(*topic, asked.count);
    }
    return {};
  }

  std::optional<std::string> assignments_fault(
      const CreatePartitionsRequest::CreatePartitionsTopic& asked, std::int32_t additional) const {
    if (!asked.assignments) return std::nullopt;
    const auto given = asked.assignments->size();
    if (given != static_cast<std::size_t>(additional)) {
      return sdk::text("Attempted to add ", additional, " additional partition(s), but only ",
                       given, " assignment(s) were specified.");
    }
    for (const auto& assignment : *asked.assignments) {
      if (auto wrong = replicas_fault(core_, assignment.broker_ids)) return wrong;
    }
    return std::nullopt;
  }

  CreatePartitionsResponse all_refused() {
    response_.results.clear();
    for (const auto& asked : body_.topics) {
      result(asked.name, {Error::policy_violation,
                          "Excessively large number of additional partitions per request."});
    }
    return std::move(response_);
  }

  void result(std::string_view name, TopicFault fault) {
    auto& out = response_.results.emplace_back();
    out.name = name;
    out.error_code = protocol::code(fault.error);
    if (!fault.message.empty()) {
      out.error_message = texts_.emplace_back(std::move(fault.message));
    }
  }

  Core& core_;
  const sdk::Request& request_;
  const CreatePartitionsRequest& body_;
  TopicRegistry::Change change_;
  std::int64_t added_ = 0;
  std::deque<std::string> texts_;  // the response only points to them
  CreatePartitionsResponse response_;
};

}  // namespace

void handle_create_partitions(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<CreatePartitionsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  Growing growing(core, request, *body);
  reply(request, answer, growing.run());
}

}  // namespace muster::embedded
