// A member as Kafka's client is one on the classic protocol: it joins, works out assignments where
// it leads, syncs, heartbeats. Eager ones give everything up before they join again, cooperative
// ones what the assignment takes from them (KIP-429). One thread.
#pragma once

#include "classic_assignor.hpp"
#include "member.hpp"

namespace muster::simulation {

class ClassicMember final : public Member {
 public:
  ClassicMember(Surroundings& around, MemberSpec spec);

  void leave(bool comes_back) override;
  void subscribe(std::vector<std::string> topics) override;
  bool is_joined() const override { return phase_ == Phase::stable; }
  std::int32_t epoch() const override { return generation_; }
  const std::string& known_as() const override { return member_id_; }

 private:
  static constexpr std::int32_t session_timeout_ms = 10000;
  static constexpr std::int32_t heartbeat_interval_ms = 3000;
  static constexpr std::int32_t no_generation = -1;

  enum class Phase { joining, syncing, stable };

  void act() override;
  void on_new_connection() override;
  std::int64_t sure_until() const override;
  // For the others, who may be slow, and for the leader.
  std::int64_t patience_ms() const override { return phase_ == Phase::stable ? 12000 : 90000; }
  std::optional<std::int64_t> revokes_at() const override {
    return kept_ ? std::optional(revoked_at_) : std::nullopt;
  }
  void finish_revocation() override;
  std::int16_t commit_version() override {
    return static_cast<std::int16_t>(around_.random.between(5, 9));
  }

  bool is_eager() const { return spec_.speaks == Speaks::classic_eager; }
  void join();
  void sync();
  void beat();
  void on_joined(host::Bytes body, std::int64_t sent_at);
  void on_synced(host::Bytes body, std::int64_t sent_at);
  void on_beat(std::int16_t error, std::int64_t sent_at);
  // What every answer may say. True: there is nothing more in it.
  bool on_error(std::int16_t error);
  void take(const Partitions& assigned);
  // A rebalance was asked for.
  void rejoin();
  // Whatever it had is lost.
  void start_over();
  void revoke(Partitions kept, Phase then);

  host::Buffer subscription() const;
  NamedPartitions named(const Partitions& partitions) const;
  Partitions with_ids(const NamedPartitions& partitions) const;
  // A topic that is made anew is another one.
  std::map<std::string, Topics::Topic> topics_of_group(
      const std::vector<ClassicSubscriber>& subscribers) const;

  const std::int16_t join_version_;
  Phase phase_ = Phase::joining;
  std::string member_id_;
  std::int32_t generation_ = no_generation;
  std::optional<std::uint64_t> named_by_;  // the life of the shard that gave it its id
  bool leads_ = false;
  std::map<std::string, NamedPartitions> plan_;  // of the group it leads
  std::vector<ClassicSubscriber> led_;
  std::optional<std::map<std::string, Topics::Topic>> planned_for_;  // as they were
  std::optional<Partitions> kept_;  // of what it owns, when it has revoked
  std::int64_t revoked_at_ = 0;
  Phase then_ = Phase::joining;
  bool is_fresh_ = true;  // nothing was assigned to it yet
  // A generation passed without it, and others may have got what it owns.
  bool missed_one_ = false;
  // A join before this one may have been served, and then this one renews no session.
  bool joins_again_ = false;
  std::int64_t heard_sent_at_ = 0;  // the newest question that has renewed its session
  std::int64_t good_sent_at_ = 0;   // the newest one before which no rebalance had begun
};

}  // namespace muster::simulation
