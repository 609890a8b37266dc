// A host without sockets, threads and chance: the runtime, the dispatcher and the plugins that were
// built, on ports that are run by hand. Tests only; one thread.
#pragma once

#include "config/options.hpp"
#include "dispatch/api_versions.hpp"
#include "dispatch/configs.hpp"
#include "dispatch/find_coordinator.hpp"
#include "dispatch/own_protocol.hpp"
#include "support/manual_world.hpp"

#include <memory>
#include <vector>

#include "fault_store.hpp"
#include "faulty_assignor.hpp"
#include "random.hpp"
#include "trace.hpp"

namespace muster::simulation {

// Jobs that were written off may still end, late.
class SimExecutor : public testing::ManualExecutor {
 public:
  void abandon(const std::shared_ptr<host::Job>& job) override {
    testing::ManualExecutor::abandon(job);
    hung.push_back(job);
  }
  std::vector<std::shared_ptr<host::Job>> hung;
};

struct SimSettings {
  std::uint64_t seed = 1;
  std::uint32_t shards = 2;
  std::int64_t assignor_wait_ms = 250;
  std::int64_t assignment_interval_ms = 1000;
  std::int64_t initial_delay_ms = 3000;
};

class SimHost {
 public:
  explicit SimHost(const SimSettings& settings);
  ~SimHost();
  SimHost(const SimHost&) = delete;
  SimHost& operator=(const SimHost&) = delete;

  host::Dispatcher& dispatcher() { return *dispatcher_; }
  host::Space& space() { return *space_; }
  std::uint32_t shard_of(std::string_view group) const;
  FaultyAssignor& assignor(const std::string& name) { return *assignors_.at(name); }
  host::AssignorSet& assignor_set() { return assignor_set_; }
  // Tells one topic as a broker does.
  void tell(const muster_topic* topic, const muster_topic_change& change);
  // Everything that can go on without time passing and without faults.
  void settle();
  void pass(std::int64_t ms);

  testing::ManualClock clock;
  Trace trace{[this] { return clock.now_ms; }};
  SimExecutor executor;
  FaultStore store;
  host::Metadata metadata;
  std::atomic<std::uint64_t> request_ids{0};

 private:
  class Observer;
  struct Services;

  void build_options(const SimSettings& settings);
  void create_assignors();
  void create_protocols();
  void build_space(const SimSettings& settings);

  Random random_;
  std::unique_ptr<Services> services_;
  std::unique_ptr<Observer> observer_;
  std::unique_ptr<host::Options> options_;
  host::HostOptionsService options_service_{};
  std::map<std::string, std::unique_ptr<FaultyAssignor>> assignors_;
  host::AssignorSet assignor_set_;
  host::ProtocolSet protocols_;
  std::unique_ptr<host::ApiVersions> api_versions_;
  std::unique_ptr<host::FindCoordinator> find_coordinator_;
  std::unique_ptr<host::Dispatcher> dispatcher_;
  std::unique_ptr<host::Space> space_;
  std::vector<std::function<void()>> destroy_;
};

}  // namespace muster::simulation
