// A client in a group of a run, whichever protocol it speaks: what it owns, that it commits, hangs
// and goes. Owner: the world of a run; one thread.
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

enum class Speaks { consumer, classic_eager, classic_cooperative };

struct MemberSpec {
  std::string group;
  std::string id;
  Speaks speaks = Speaks::consumer;
  std::optional<std::string> instance;
  std::vector<std::string> topics;
  std::optional<std::string> regex;
  std::optional<std::string> assignor;
  std::int32_t rebalance_timeout_ms = 20000;
};

class Member {
 public:
  Member(Surroundings& around, MemberSpec spec);
  virtual ~Member() = default;
  Member(const Member&) = delete;
  Member& operator=(const Member&) = delete;

  // Does the next thing that is due. False: nothing is.
  bool step();
  std::int64_t next_due() const;

  // For good; or, of a static member, until it comes back.
  virtual void leave(bool comes_back) = 0;
  virtual void subscribe(std::vector<std::string> topics) = 0;
  void lose_connection();
  void crash();
  void stall(std::int64_t ms) { stalled_until_ = now() + ms; }
  void wake_up() { stalled_until_ = 0; }
  void commit();

  const MemberSpec& spec() const { return spec_; }
  bool is_gone() const { return is_gone_; }
  virtual bool is_joined() const = 0;
  // Member epoch or generation.
  virtual std::int32_t epoch() const = 0;
  // By what the coordinator knows it.
  virtual const std::string& known_as() const { return spec_.id; }
  const Partitions& owned() const { return owned_; }
  // Whether the coordinator cannot have given its partitions away behind its back.
  bool is_sure() const { return now() < sure_until(); }
  bool subscribes(const std::string& topic) const;

 protected:
  std::int64_t now() const { return around_.host.clock.now_ms; }
  void tell(const std::string& what) { around_.host.trace.add(spec_.id + " " + what); }
  void own(Partitions partitions);
  void end() {
    own({});
    is_gone_ = true;
  }
  // How long it takes to give partitions up: now and then too long.
  std::int64_t time_to_revoke();
  // A question whose answer is awaited; there is one at a time.
  template <class Message>
  void ask(const Message& message, std::int16_t version,
           std::function<void(host::Bytes)> on_answer) {
    sent_at_ = now();
    around_.network.ask(
        connection_, message, version,
        [this, on_answer = std::move(on_answer)](host::Bytes body) {
          sent_at_.reset();
          if (!is_gone_) on_answer(body);
        },
        [this] { served_by_ = life_of_shard(); });
  }
  // Which life of its group's shard there is; nothing while it is loading or away.
  std::optional<std::uint64_t> life_of_shard() const;
  template <class Message>
  void tell_host(const Message& message, std::int16_t version) {
    around_.network.ask(connection_, message, version, [](host::Bytes) {});
  }
  void drop_connection() { around_.network.drop(connection_); }
  void find_coordinator();
  // What else to do where a coordinator could not serve. False: it is no such error.
  bool is_failure(std::int16_t error);
  void retry_in(std::int64_t ms) { next_at_ = now() + ms; }

  // The next thing that is not an answer, at next_at_.
  virtual void act() = 0;
  virtual void on_new_connection() = 0;
  virtual std::int64_t sure_until() const = 0;
  virtual std::int64_t patience_ms() const { return 12000; }
  // When partitions are given up, if they are; and doing so.
  virtual std::optional<std::int64_t> revokes_at() const = 0;
  virtual void finish_revocation() = 0;
  virtual std::int16_t commit_version() = 0;

  Surroundings& around_;
  MemberSpec spec_;
  std::int64_t next_at_ = 0;
  std::optional<std::int64_t> sent_at_;     // and not answered
  std::optional<std::uint64_t> served_by_;  // the newest question

 private:
  void on_commit(host::Bytes body, std::int16_t version,
                 const std::map<TopicPartition, std::int64_t>& offsets);

  ConnectionId connection_;
  Partitions owned_;
  bool is_gone_ = false;
  bool looks_for_coordinator_ = false;
  std::int64_t stalled_until_ = 0;
};

}  // namespace muster::simulation
