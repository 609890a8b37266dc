// DeleteTopics, by name and by id.
#include "apis/handlers.hpp"

#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <muster/protocol/messages/delete_topics_request.hpp>
#include <muster/protocol/messages/delete_topics_response.hpp>

namespace muster::embedded {
namespace {

using protocol::DeleteTopicsRequest;
using protocol::DeleteTopicsResponse;
using protocol::Uuid;

class Deletion {
 public:
  Deletion(Core& core, const sdk::Request& request, const DeleteTopicsRequest& body)
      : core_(core), request_(request), body_(body), change_(core.topics.change()) {}

  DeleteTopicsResponse run() {
    if (!core_.settings.delete_topics) return all_refused();
    may_delete_all_ = core_.allowed(request_, sdk::Operation::remove, sdk::Resource::cluster,
                                    Core::cluster_name);
    sort_out();
    for (const auto& [id, times] : ids_) {
      times == 1 ? remove_by_id(id)
                 : result({}, id, Error::invalid_request, "Duplicate topic id.");
    }
    for (const auto& [name, times] : names_) {
      times == 1 ? remove_by_name(name)
                 : result(name, {}, Error::invalid_request, "Duplicate topic name.");
    }
    if (auto done = change_.commit(); !done) {
      core_.report("topics could not be deleted: ", done.error());
      for (auto& out : response_.responses) {
        if (out.error_code == 0) out.error_code = protocol::code(Error::unknown_server_error);
      }
    }
    return std::move(response_);
  }

 private:
  using Name = std::optional<std::string_view>;

  DeleteTopicsResponse all_refused() {
    constexpr std::int16_t first_with_own_error = 3;
    const bool old = request_.version() < first_with_own_error;
    const Error error = old ? Error::invalid_request : Error::topic_deletion_disabled;
    const std::string_view why = old ? "This version does not support topic deletion."
                                     : "Topic deletion is disabled.";
    for (const std::string_view name : body_.topic_names) result(name, {}, error, why);
    for (const auto& topic : body_.topics) result(topic.name, topic.topic_id, error, why);
    return std::move(response_);
  }

  void sort_out() {
    for (const std::string_view name : body_.topic_names) ++names_[name];
    for (const auto& topic : body_.topics) {
      if (topic.name && !topic.topic_id.is_zero()) {
        result(topic.name, topic.topic_id, Error::invalid_request,
               "You may not specify both topic name and topic id.");
      } else if (topic.name) {
        ++names_[*topic.name];
      } else if (topic.topic_id.is_zero()) {
        result({}, {}, Error::invalid_request, "Neither topic name nor id were specified.");
      } else {
        ++ids_[topic.topic_id];
      }
    }
  }

  bool may(sdk::Operation operation, std::string_view topic) const {
    return may_delete_all_ || core_.may(request_, operation, topic);
  }

  void remove_by_id(const Uuid& id) {
    const Topic* topic = change_.before().by_id(id);
    if (topic == nullptr) {
      return result({}, id, Error::unknown_topic_id, "This server does not host this topic ID.");
    }
    if (!may(sdk::Operation::remove, topic->name)) {
      const bool visible = may(sdk::Operation::describe, topic->name);
      return result(visible ? Name(topic->name) : Name(), id, Error::topic_authorization_failed,
                    "Topic authorization failed.");
    }
    // Asked for twice: the name's answer says so.
    if (const auto named = names_.find(topic->name); named != names_.end() && named->second == 1) {
      return;
    }
    remove(*topic);
  }

  void remove_by_name(std::string_view name) {
    const Topic* topic = change_.before().by_name(name);
    if (!may(sdk::Operation::describe, name) ||
        (topic != nullptr && !may(sdk::Operation::remove, name))) {
      return result(name, {}, Error::topic_authorization_failed, "Topic authorization failed.");
    }
    if (topic == nullptr) {
      return result(name, {}, Error::unknown_topic_or_partition,
                    "This server does not host this topic-partition.");
    }
    if (ids_.contains(topic->id)) {
      return result(name, topic->id, Error::invalid_request,
                    "The provided topic name maps to an ID that was already supplied.");
    }
    remove(*topic);
  }

  void remove(const Topic& topic) {
    change_.remove(topic);
    result(topic.name, topic.id, Error::none, {});
  }

  void result(Name name, const Uuid& id, Error error, Name message) {
    auto& out = response_.responses.emplace_back();
    out.name = name;
    out.topic_id = id;
    out.error_code = protocol::code(error);
    if (error != Error::none) out.error_message = message;
  }

  Core& core_;
  const sdk::Request& request_;
  const DeleteTopicsRequest& body_;
  TopicRegistry::Change change_;
  bool may_delete_all_ = false;
  std::map<std::string_view, int> names_;
  std::map<Uuid, int> ids_;
  DeleteTopicsResponse response_;
};

}  // namespace

void handle_delete_topics(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<DeleteTopicsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  Deletion deletion(core, request, *body);
  reply(request, answer, deletion.run());
}

}  // namespace muster::embedded
