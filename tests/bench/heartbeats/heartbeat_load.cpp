// Steady heartbeats of consumer groups against a server: how much of the server's CPU each costs,
// and how long it takes.
//
//   heartbeat_load HOST PORT SERVER_PID CONNECTIONS MEMBERS GROUPS IN_FLIGHT WARM_SECONDS SECONDS
//
// Prints one JSON line. A member joins, is brought to its target, then only says that it is there.
#include "client/lane.hpp"
#include "client/setting_up.hpp"

#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_response.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace muster::bench {
namespace {

using Request = protocol::ConsumerGroupHeartbeatRequest;
using Response = protocol::ConsumerGroupHeartbeatResponse;
constexpr std::int16_t version = 1;

struct Setting {
  std::string host;
  std::uint16_t port;
  int pid;
  int connections, members, groups, in_flight;
  double warm_seconds, seconds;
};

struct Partitions {
  protocol::Uuid topic;
  std::vector<std::int32_t> partitions;
  bool operator==(const Partitions&) const = default;
};

struct Member {
  std::string group;
  std::string id;
  std::int32_t epoch = 0;
  std::vector<Partitions> owned;
};

class Load {
 public:
  explicit Load(Setting setting) : setting_(std::move(setting)) {}

  void prepare();
  void settle();
  void run(double seconds, bool measure);
  void report();

 private:
  // Of one lane.
  struct Turn {
    std::vector<std::size_t> members;
    std::size_t next = 0;
  };

  bool bring_to_target(Member& member, KafkaConnection& connection);
  void send_some(std::size_t lane, int count);
  int take_answers(Lane& lane);

  Setting setting_;
  std::string topic_ = fresh("bench-");
  std::vector<Member> members_;
  std::vector<Lane> lanes_;
  std::vector<Turn> turns_;
  bool measuring_ = false;
  std::uint64_t beats_ = 0;
  double took_ = 0;
  double cpu_ = 0;
  Latencies latencies_;
};

void Load::prepare() {
  KafkaConnection control(setting_.host, setting_.port);
  create_topic(control, topic_, setting_.members / setting_.groups);
  for (int g = 0; g < setting_.groups; ++g) {
    const std::string group = fresh("group-");
    find_coordinator(control, group);
    for (int m = 0; m < setting_.members / setting_.groups; ++m) {
      members_.push_back({group, fresh("member-"), 0, {}});
    }
  }
  for (int i = 0; i < setting_.connections; ++i) lanes_.emplace_back(setting_.host, setting_.port);
  turns_.resize(lanes_.size());
  for (std::size_t i = 0; i < members_.size(); ++i) turns_[i % turns_.size()].members.push_back(i);
}

// One heartbeat that tells everything; true if it changed nothing.
bool Load::bring_to_target(Member& member, KafkaConnection& connection) {
  Request request;
  request.group_id = member.group;
  request.member_id = member.id;
  request.member_epoch = member.epoch;
  request.rebalance_timeout_ms = 60000;
  request.subscribed_topic_names = {{topic_}};
  request.topic_partitions.emplace();
  for (const Partitions& owned : member.owned) {
    request.topic_partitions->push_back({owned.topic, owned.partitions});
  }
  protocol::Buffer answer;
  const auto response = connection.ask<Response>(request, version, answer);
  if (response.error_code == 14 || response.error_code == 15 || response.error_code == 16)
    return false;
  if (response.error_code != 0) {
    throw std::runtime_error("heartbeat error " + std::to_string(response.error_code));
  }
  std::vector<Partitions> owned = member.owned;
  if (response.assignment) {
    owned.clear();
    for (const auto& topic : response.assignment->topic_partitions) {
      owned.push_back({topic.topic_id, topic.partitions});
    }
  }
  const bool same = owned == member.owned && response.member_epoch == member.epoch;
  member.owned = std::move(owned);
  member.epoch = response.member_epoch;
  return same;
}

void Load::settle() {
  // Two quiet rounds in a row, longer apart than Kafka's assignment interval.
  for (int quiet = 0, rounds = 0; quiet < 2; ++rounds) {
    if (rounds > 200) throw std::runtime_error("the groups do not settle");
    bool same = true;
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
      for (const std::size_t i : turns_[lane].members) {
        same = bring_to_target(members_[i], lanes_[lane].connection()) && same;
      }
    }
    quiet = same ? quiet + 1 : 0;
    if (same) std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  }
}

void Load::send_some(std::size_t lane, int count) {
  protocol::Buffer out;
  Turn& turn = turns_[lane];
  for (int i = 0; i < count; ++i) {
    const Member& member = members_[turn.members[turn.next++ % turn.members.size()]];
    Request request;
    request.group_id = member.group;
    request.member_id = member.id;
    request.member_epoch = member.epoch;
    lanes_[lane].connection().frame(request, version, out);
  }
  lanes_[lane].send(out, count);
}

int Load::take_answers(Lane& lane) {
  const auto now = Clock::now();
  return lane.receive([&](protocol::Bytes frame, Clock::time_point sent) {
    const auto response = protocol::decode<Response>(frame.subspan(5), version);
    if (!response || response->error_code != 0) {
      throw std::runtime_error("a heartbeat was refused");
    }
    if (measuring_) latencies_.add(sent, now);
  });
}

void Load::run(double seconds, bool measure) {
  measuring_ = measure;
  const double cpu_before = cpu_seconds(setting_.pid);
  const auto start = Clock::now();
  for (std::size_t i = 0; i < lanes_.size(); ++i) send_some(i, setting_.in_flight);
  beats_ = 0;
  poll_lanes(lanes_, [&](std::size_t lane) {
    const int answers = take_answers(lanes_[lane]);
    beats_ += static_cast<std::uint64_t>(answers);
    if (answers != 0 && seconds_since(start) < seconds) send_some(lane, answers);
  });
  took_ = seconds_since(start);
  cpu_ = cpu_seconds(setting_.pid) - cpu_before;
}

void Load::report() {
  std::printf(
      "{\"connections\":%d,\"members\":%d,\"in_flight\":%d,\"heartbeats\":%llu,\"per_second\":%.0f,"
      "\"server_cpu_us_per_heartbeat\":%.3f,\"p50_us\":%u,\"p99_us\":%u}\n",
      setting_.connections, setting_.members, setting_.in_flight,
      static_cast<unsigned long long>(beats_), static_cast<double>(beats_) / took_,
      cpu_ * 1e6 / static_cast<double>(beats_), latencies_.percentile_us(0.5),
      latencies_.percentile_us(0.99));
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) {
  if (argc != 10) {
    std::cerr << "usage: heartbeat_load HOST PORT SERVER_PID CONNECTIONS MEMBERS GROUPS IN_FLIGHT "
                 "WARM_SECONDS SECONDS\n";
    return 2;
  }
  try {
    muster::bench::Load load({argv[1], static_cast<std::uint16_t>(std::atoi(argv[2])),
                              std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5]),
                              std::atoi(argv[6]), std::atoi(argv[7]), std::atof(argv[8]),
                              std::atof(argv[9])});
    load.prepare();
    load.settle();
    load.run(std::atof(argv[8]), false);
    load.run(std::atof(argv[9]), true);
    load.report();
  } catch (const std::exception& error) {
    std::cerr << "heartbeat_load: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
