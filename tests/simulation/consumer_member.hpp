// A member as Kafka's client is one on the consumer protocol (KIP-848), with random patience: it
// joins, takes and gives up partitions, leaves, and gets up again after errors. One thread.
#pragma once

#include "member.hpp"

namespace muster::simulation {

class ConsumerMember final : public Member {
 public:
  ConsumerMember(Surroundings& around, MemberSpec spec) : Member(around, std::move(spec)) {}

  void leave(bool comes_back) override;
  void subscribe(std::vector<std::string> topics) override;
  bool is_joined() const override { return epoch_ > 0; }
  std::int32_t epoch() const override { return epoch_; }

 private:
  static constexpr std::int64_t session_timeout_ms = 45000;
  static constexpr std::int32_t join_epoch = 0;
  static constexpr std::int32_t leave_epoch = -1;
  static constexpr std::int32_t static_leave_epoch = -2;

  struct Sent {
    std::int64_t at;
    std::optional<Partitions> told;  // what it said it owns
  };

  void act() override;
  void on_new_connection() override { sends_everything_ = true; }
  std::int64_t sure_until() const override;
  std::optional<std::int64_t> revokes_at() const override {
    return pending_ ? std::optional(revoked_at_) : std::nullopt;
  }
  void finish_revocation() override;
  std::int16_t commit_version() override { return around_.random.below(2) == 0 ? 9 : 10; }

  void on_beat(host::Bytes body, const Sent& sent);
  void on_success(std::int32_t epoch, const Sent& sent, const std::optional<Partitions>& assigned);
  void on_error(std::int16_t error);
  void take(const Partitions& assigned);
  void rejoin();

  bool sends_everything_ = true;
  bool subscription_changed_ = false;
  bool tells_owned_ = false;
  std::int32_t epoch_ = join_epoch;
  std::int32_t highest_epoch_ = 0;
  Partitions assigned_;                       // newest the coordinator told
  std::optional<Partitions> pending_;         // assigned, but first the others must be given up
  std::int64_t revoked_at_ = 0;               // when `pending_` is taken
  std::optional<std::int64_t> unsure_since_;  // oldest heartbeat after the last success
  std::optional<std::int64_t>
      revoking_since_;  // the coordinator waits for partitions at most since
  std::int64_t last_good_sent_at_ = 0;
};

}  // namespace muster::simulation
