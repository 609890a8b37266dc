// FindCoordinator (key 10, v0-6): which node owns the shard of a key.
//
// Threads: [any]. The first look-up of a kind makes the kind's internal topic and answers when it
// exists.
#pragma once

#include "dispatch/dispatcher.hpp"
#include "runtime/stored_request.hpp"

namespace muster::host {

// One kind of coordinator: Kafka's key type, the space that serves it, its internal topic.
struct CoordinatorKind {
  std::int8_t key_type;
  std::string space;
  std::string topic;
  std::uint32_t partitions;
};

class FindCoordinator {
 public:
  static constexpr muster_api_claim claim{10, 0, 6, 3, MUSTER_SCOPE_BROKER, 0};

  struct Parts {
    std::vector<CoordinatorKind> kinds;
    Metadata* metadata = nullptr;
    Caller* caller = nullptr;
    const muster_node_v1* node = nullptr;
    const muster_authorize_v1* authorize = nullptr;
  };

  explicit FindCoordinator(Parts parts) : parts_(std::move(parts)) {}

  // Before the first request: who carries out the host's own CreateTopics.
  void set_caller(Caller& caller) { parts_.caller = &caller; }
  void answer(const muster_request& request, ReplyTo to);

 private:
  struct Coordinator;

  const CoordinatorKind* kind_of(std::int8_t key_type) const;
  void create_topic(const CoordinatorKind& kind, std::shared_ptr<StoredRequest> request,
                    ReplyTo to);
  void respond(const muster_request& request, const ReplyTo& to, bool topic_exists) const;
  // What is wrong with asking for this key; error none: nothing.
  Coordinator refusal(const muster_request& request, std::int8_t key_type,
                      std::string_view key) const;
  Coordinator look_up(const muster_request& request, std::int8_t key_type, std::string_view key,
                      bool topic_exists) const;

  Parts parts_;
};

}  // namespace muster::host
