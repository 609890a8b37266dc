// A consumer group with classic members, and a classic protocol beside it that does what a test
// says. Answers come as text. Tests only.
#pragma once

#include <muster/testing/fake_owner.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "consumer_rig.hpp"

namespace muster::consumer {

// A JoinGroup as a test writes it.
struct Join {
  Join();
  Join(const Join&);
  Join& operator=(const Join&);
  ~Join();

  std::string member;
  std::string group = "g";
  std::vector<std::string> topics = {"foo"};
  std::string owned;  // "foo:0,1"
  std::int32_t owned_generation = -1;
  std::vector<std::string> protocols = {"range"};
  std::optional<std::string> instance;
  std::optional<std::string> rack;
  std::string protocol_type = "consumer";
  std::optional<std::string> metadata;  // instead of a subscription
  std::int16_t subscription_version = 3;
  std::int32_t session_timeout_ms = 10000;
  std::int32_t rebalance_timeout_ms = 5000;
  std::int16_t version = 9;

  Join owning(std::string_view partitions) const;
  Join with_topics(const Lines& names) const;
  Join with_protocols(const Lines& names) const;
  Join with_instance(std::string_view id) const;
  Join with_version(std::int16_t number) const;
};
Join join_of(std::string_view member);

// A SyncGroup, Heartbeat or member of a LeaveGroup.
struct Of {
  Of(std::string_view member, std::int32_t generation = -1);
  Of(const Of&);
  Of& operator=(const Of&);
  ~Of();

  std::string member;
  std::int32_t generation;
  std::optional<std::string> instance;
  std::optional<std::string> protocol_type = "consumer";
  std::optional<std::string> protocol_name = "range";
  std::int16_t version = 4;       // of Heartbeat
  std::int16_t sync_version = 5;  // of SyncGroup
  std::string group = "g";

  Of with_instance(std::string_view id) const;
  Of with_protocol(std::optional<std::string> type, std::optional<std::string> name) const;
  Of with_sync_version(std::int16_t number) const;
};

// One member of the classic group that is to become a consumer group.
struct Exported {
  std::string member;
  std::string assigned;  // "foo:0,1"; "none": no assignment yet
  std::vector<std::string> topics = {"foo"};
  std::optional<std::string> instance = std::nullopt;
  std::string user_data = {};
  std::string owned = {};  // as it said when it joined last
  std::int32_t owned_generation = -1;
};

class ClassicRig : public ConsumerRig {
 public:
  explicit ClassicRig(Door door, bool opened = true);
  ~ClassicRig();

  testing::FakeOwner classic{"classic"};

  // "c1 at 3 by range", "error 25", "error 79 new-id", "handed on"; the assignor runs if it must.
  std::string join(const Join& join);
  // "" if it waits for an assignor.
  std::string send_join(const Join& join);
  // "foo:0,1 v3", "error 27".
  std::string sync(const Of& by);
  std::int16_t beat_of(const Of& by);
  // "0: c1 0, c2 25"
  std::string leave(const std::vector<Of>& members, std::int16_t version = 5);
  using ConsumerRig::beat;
  using ConsumerRig::join;

  // The group "g" is the classic protocol's, with these members, in this generation.
  void own_by_classic(std::int32_t generation, const std::vector<Exported>& members);
  // A member of the new protocol joins it.
  Answer upgrade(const Beat& join);
  testing::RequestSpec spec_of_join(const Join& join);
  testing::RequestSpec spec_of_sync(const Of& by);
  testing::RequestSpec spec_of_beat(const Of& by);
  testing::RequestSpec spec_of_leave(const std::vector<Of>& members, std::int16_t version = 5);
  // What a JoinGroup that waited was answered with.
  std::string joined();

 private:
  template <class Request>
  testing::RequestSpec spec(const Request& request, std::int16_t version, std::string_view group);
  template <class Response>
  Response ask_for(const testing::RequestSpec& spec);

  std::uint64_t ids_ = 1000;
};

// The embedded protocol's bytes.
testing::Buffer subscription_of(const Join& join);
testing::Buffer assignment_of(const std::string& partitions, const std::string& user_data);

}  // namespace muster::consumer
