// A shard of the consumer protocol with a host run by hand: heartbeats in and out, the assignor's
// runs and regex matches when the test says so. Tests only.
#pragma once

#include <muster/abi/partition_assignor.h>
#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/testing/protocol_rig.hpp>

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "beat.hpp"
#include "record_text.hpp"
#include "support/door.hpp"
#include "topics.hpp"

namespace muster::consumer {

using muster::testing::Door;

using Answers = std::vector<Answer>;

// By partition: member index, or MUSTER_NONE.
using Assign = std::function<std::vector<std::uint32_t>(const muster_partition_assignor_view&)>;

// Sticky and as even as can be: what most tests expect of an assignor.
std::vector<std::uint32_t> evenly(const muster_partition_assignor_view& view);

// An assignor's run in flight: the view that it was started with, copied as the host copies it.
class Run {
 public:
  Run(testing::Offload task, const muster_partition_assignor_view& view);
  Run(Run&&) = default;

  testing::Offload task;
  [[nodiscard]] const muster_partition_assignor_view& view() const { return view_; }

 private:
  std::deque<std::string> texts_;  // a deque: its strings stay where they are
  std::vector<std::vector<std::uint32_t>> numbers_;
  std::vector<std::vector<muster_str>> strings_;
  std::vector<muster_uuid> ids_;
  muster_partition_assignor_view view_;
};

// A match of regular expressions in flight, with the input it was started with.
struct Match {
  testing::Offload task;
  testing::Buffer input;
};

class ConsumerRig : public testing::ProtocolRig {
 public:
  explicit ConsumerRig(Door door, bool opened = true);
  ~ConsumerRig();

  // The rig's own, but compiled once.
  void open();
  void reload();
  testing::Outcome decide(const testing::RequestSpec& spec);
  testing::Buffer answer(const testing::RequestSpec& spec);
  testing::Outcome on_timer(const std::string& key);

  Topics topics{metadata};
  std::deque<Run> runs;                          // assignors asked for
  std::deque<Match> matches;                     // regex matches asked for
  std::map<std::uint64_t, std::int16_t> parked;  // token -> version
  std::vector<testing::Buffer> others;           // answers to what waited and was no heartbeat
  testing::Outcome last;                         // what the newest slot did
  const std::int64_t start_ms = host.now_ms;

  // A topic with this many partitions, told to the shard at once.
  void topic(std::string_view name, std::uint32_t partitions);
  void topic(std::string_view name, testing::FakeTopic spec);
  void remove_topic(std::string_view name);
  void deny(std::int32_t operation, std::int32_t resource_type, std::string_view resource);

  testing::RequestSpec spec_of(const Beat& beat);
  // One heartbeat and nothing else. Returns its answer; nothing if it is parked.
  std::optional<Answer> send(const Beat& beat);
  // Any request and nothing else.
  void ask(const testing::RequestSpec& spec);
  // A heartbeat and the run of the assignor it asked for.
  Answer beat(const Beat& beat);

  // Ends the oldest run. Returns the answers of the heartbeats that waited for it.
  Answers finish(const Assign& assign = evenly);
  Answers fail();
  // The oldest waiting heartbeat has waited long enough.
  Answer expire();
  // Ends the oldest match.
  void match();
  void fail_match();
  // Lets every timer due within this time fire.
  void pass(std::int64_t ms);

  // Loads the shard anew after a test has changed what is stored.
  void reload_changed();
  // What DeleteGroups asks the owner of a group; throws if it may not.
  testing::Outcome remove_group(std::string_view group);

  // What the newest slot stored, and what it did to timers.
  [[nodiscard]] Lines stored() const;
  [[nodiscard]] Lines stored(const testing::Outcome& outcome) const;
  // Everything that is stored now, by key.
  [[nodiscard]] Lines all_stored();
  [[nodiscard]] std::string state(std::string_view group = "g");

 private:
  void take(testing::Outcome outcome);
  Answer parse(const testing::Buffer& body, std::int16_t version) const;
  Answers completions();

  RecordText text_{topics, start_ms};
  std::uint64_t next_id_ = 1;
};

}  // namespace muster::consumer
