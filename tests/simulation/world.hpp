// Everything of one run: a host on a store with faults, clients, topics, time; one seed decides
// what happens next. Invariants are checked after every step, convergence once it is quiet. Tests
// only.
#pragma once

#include <memory>

#include "classic_member.hpp"
#include "consumer_member.hpp"

namespace muster::simulation {

class World {
 public:
  explicit World(std::uint64_t seed, bool is_loud = false);
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  // Some rounds of chaos, each followed by quiet. What went wrong; empty: nothing did.
  std::string run();
  const Trace& trace() const { return host_.trace; }
  Trace& trace() { return host_.trace; }

 private:
  // A static member that will be back under another id.
  struct Return {
    std::int64_t at;
    MemberSpec spec;
  };
  struct MemberView {
    std::int32_t epoch = 0;
    Partitions assigned;
    std::string regex;
  };
  struct GroupView {
    std::string state;
    // Fixed for a run: what its classic members speak, if it may have any.
    std::optional<Speaks> classic;
    bool had_classic = false;  // epochs may have begun anew
    bool is_classic = false;
    std::int32_t epoch = 0;
    std::int32_t assignment_epoch = 0;
    std::map<std::string, MemberView> members;
  };

  static SimSettings settings_of(std::uint64_t seed);
  void set_faults();
  bool failed() const { return !host_.trace.violation().empty(); }

  // world.cpp: what goes on.
  void step();
  bool step_host();
  bool run_job(bool patiently);
  bool acknowledge();
  bool step_member();
  void pass_time();
  std::int64_t next_due() const;
  void calm_down();
  void quiet(std::int64_t for_ms);

  // world_happenings.cpp: what happens.
  void happen();
  void happen_to_store();
  void happen_to_topics();
  void happen_to(Member& member);
  void add_member(MemberSpec spec);
  void add_some_member();
  void end(Member& member);
  void bring_back();
  std::vector<std::string> some_topics();
  void speak_some_protocol(MemberSpec& spec);

  // world_checks.cpp: what must hold.
  void check_owners();
  void describe(const std::string& group);
  void on_described(host::Bytes body);
  void describe_classic(const std::string& group);
  void on_classic_described(host::Bytes body);
  void fetch(const std::string& group);
  void on_fetched(host::Bytes body, const std::map<OffsetKey, std::uint64_t>& floors,
                  bool must_succeed);
  void check_ownership();
  void check_converged();
  void check_group(const std::string& group);
  void check_balance(const std::vector<const Member*>& members, const std::string& group);
  void check_reload();

  Random random_;
  SimHost host_;
  Network network_{host_};
  Topics topics_{host_};
  OffsetLedger ledger_;
  Surroundings around_{host_, network_, topics_, ledger_, random_};
  ConnectionId observer_ = 0;
  std::vector<std::unique_ptr<Member>> members_;
  std::vector<Return> returns_;
  std::map<std::string, GroupView> groups_;
  std::map<std::shared_ptr<host::Job>, std::int64_t> lying_since_;
  std::uint64_t checked_changes_ = 0;
  int made_ = 0;
  bool is_chaos_ = false;
  bool has_slow_assignors_ = false;
  int faults_left_ = 0;  // of assignors: a run must not put all of them into quarantine
};

}  // namespace muster::simulation
