// The live objects of the loaded plugins: created from their exports, destroyed in reverse.
#pragma once

#include "config/options.hpp"
#include "dispatch/api_table.hpp"
#include "plugins/registry.hpp"
#include "runtime/assignor_set.hpp"
#include "runtime/protocol_set.hpp"
#include "service/border_check.hpp"
#include "service/services.hpp"

#include <deque>
#include <functional>
#include <optional>

namespace muster::host {

struct BoundStore {
  const muster_store_v1* table = nullptr;
  void* self = nullptr;
};

class Instances {
 public:
  Instances(const Registry& registry, Options& options, Services& services, std::int32_t node_id);
  ~Instances();
  Instances(const Instances&) = delete;
  Instances& operator=(const Instances&) = delete;

  // Before create: puts the check around every bound group protocol.
  void check_border(Observer& observer, Clock& clock) { border_check_.emplace(observer, clock); }
  // Empty: all made. Otherwise one sentence about the first that refused.
  [[nodiscard]] std::string create();

  const BoundStore& store() const { return store_; }
  const Broker& broker() const { return broker_; }
  AssignorSet& assignors() { return assignors_; }
  // The protocols of a shard space; empty where nothing lives there.
  const ProtocolSet& groups() const { return groups_; }
  const ProtocolSet& transactions() const { return transactions_; }

 private:
  std::string make(const Export& from, void*& self);
  std::string create_protocols();
  std::string add_protocol(Protocol protocol);

  const Registry& registry_;
  Options& options_;
  Services& services_;
  std::int32_t node_id_;
  BoundStore store_;
  Broker broker_;
  AssignorSet assignors_;
  std::optional<BorderCheck> border_check_;
  ProtocolSet groups_;
  ProtocolSet transactions_;
  std::vector<std::function<void()>> destroy_;
};

}  // namespace muster::host
