// One member of a consumer group as Kafka's client is one (KIP-848), with random patience: it
// joins, takes and gives up partitions, commits, leaves, hangs, and gets up again after errors.
// Owner: the world of a run; one thread.
#pragma once

#include <optional>

#include "network.hpp"
#include "offset_ledger.hpp"
#include "topics.hpp"

namespace muster::simulation {

struct Surroundings {
  SimHost& host;
  Network& network;
  Topics& topics;
  OffsetLedger& ledger;
  Random& random;
  std::uint64_t ownership_changes = 0;
};

struct MemberSpec {
  std::string group;
  std::string id;
  std::optional<std::string> instance;
  std::vector<std::string> topics;
  std::optional<std::string> regex;
  std::optional<std::string> assignor;
  std::int32_t rebalance_timeout_ms = 20000;
};

class Member {
 public:
  static constexpr std::int64_t session_timeout_ms = 45000;
  static constexpr std::int32_t join_epoch = 0;
  static constexpr std::int32_t leave_epoch = -1;
  static constexpr std::int32_t static_leave_epoch = -2;

  Member(Surroundings& around, MemberSpec spec);
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  // Does the next thing that is due. False: nothing is.
  bool step();
  std::int64_t next_due() const;

  void leave(std::int32_t epoch);
  void crash();
  void stall(std::int64_t ms) { stalled_until_ = now() + ms; }
  void wake_up() { stalled_until_ = 0; }
  void subscribe(std::vector<std::string> topics);
  void commit();
  void lose_connection();

  const MemberSpec& spec() const { return spec_; }
  bool is_gone() const { return is_gone_; }
  bool is_joined() const { return epoch_ > 0; }
  bool is_busy() const { return beat_sent_at_.has_value() || pending_.has_value(); }
  std::int32_t epoch() const { return epoch_; }
  const Partitions& owned() const { return owned_; }
  // Whether the coordinator cannot have given its partitions away behind its back.
  bool is_sure() const { return now() < sure_until(); }
  bool subscribes(const std::string& topic) const;

 private:
  struct Sent {
    std::int64_t at;
    std::optional<Partitions> told;  // what it said it owns
  };

  std::int64_t now() const { return around_.host.clock.now_ms; }
  void tell(const std::string& what) { around_.host.trace.add(spec_.id + " " + what); }
  std::int64_t sure_until() const;
  void beat();
  void find_coordinator();
  void finish_revocation();
  void on_beat(host::Bytes body, const Sent& sent);
  void on_success(std::int32_t epoch, const Sent& sent, const std::optional<Partitions>& assigned);
  void on_error(std::int16_t error);
  void take(const Partitions& assigned);
  void rejoin();
  void retry_in(std::int64_t ms);
  void own(Partitions partitions);
  void on_commit(host::Bytes body, std::int16_t version,
                 const std::map<TopicPartition, std::int64_t>& offsets);

  Surroundings& around_;
  MemberSpec spec_;
  ConnectionId connection_;
  bool is_gone_ = false;
  bool sends_everything_ = true;
  bool subscription_changed_ = false;
  bool tells_owned_ = false;
  bool looks_for_coordinator_ = false;
  std::int32_t epoch_ = join_epoch;
  std::int32_t highest_epoch_ = 0;
  Partitions owned_;
  Partitions assigned_;                // newest the coordinator told
  std::optional<Partitions> pending_;  // assigned, but first the others must be given up
  std::int64_t revoked_at_ = 0;        // when `pending_` is taken
  std::int64_t next_beat_at_ = 0;
  std::int64_t stalled_until_ = 0;
  std::optional<std::int64_t> beat_sent_at_;  // and not answered
  std::optional<std::int64_t> unsure_since_;  // oldest heartbeat after the last success
  std::optional<std::int64_t>
      revoking_since_;  // the coordinator waits for partitions at most since
  std::int64_t last_good_sent_at_ = 0;
};

}  // namespace muster::simulation
