// Classic groups from the first join to stable: how long that takes, and what it costs the server.
//
//   join_load HOST PORT SERVER_PID MEMBERS WARM_GROUPS GROUPS
//
// Prints one JSON line. Each member has a connection of its own, since a join waits on it for the
// others. Members do as Kafka's clients do: they join without an id, and again with the one they
// are given; they beat every three seconds, and join again when they are told to.
#include "client/lane.hpp"
#include "client/setting_up.hpp"

#include <muster/protocol/messages/heartbeat_request.hpp>
#include <muster/protocol/messages/heartbeat_response.hpp>
#include <muster/protocol/messages/join_group_request.hpp>
#include <muster/protocol/messages/join_group_response.hpp>
#include <muster/protocol/messages/leave_group_request.hpp>
#include <muster/protocol/messages/leave_group_response.hpp>
#include <muster/protocol/messages/sync_group_request.hpp>
#include <muster/protocol/messages/sync_group_response.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>

namespace muster::bench {
namespace {

constexpr std::int16_t join_version = 9;
constexpr std::int16_t sync_version = 5;
constexpr std::int16_t heartbeat_version = 4;
constexpr std::int16_t leave_version = 5;
constexpr std::int16_t rebalance_in_progress = 27;
constexpr std::int16_t member_id_required = 79;
constexpr double heartbeat_interval_s = 3;
// A subscription to one topic, and an assignment of one partition, are about as large.
const protocol::Buffer metadata(60, 1);
const protocol::Buffer assignment(60, 2);

struct Member {
  enum class Waits { join, sync, heartbeat, nothing };
  Waits waits = Waits::join;
  std::string id;
  std::int32_t generation = -1;
  Clock::time_point heard;  // the last answer
};

class Load {
 public:
  Load(const std::string& host, std::uint16_t port, int pid, std::size_t members)
      : pid_(pid), control_(host, port) {
    for (std::size_t i = 0; i < members; ++i) lanes_.emplace_back(host, port);
  }

  void run(int groups);
  void report() const;

 private:
  void form();
  void leave();
  void join(std::size_t member);
  void sync(std::size_t member, const std::vector<std::string>& all);
  void beat(std::size_t member);
  template <class Request>
  void ask(std::size_t member, const Request& request, std::int16_t version, Member::Waits waits) {
    protocol::Buffer out;
    lanes_[member].connection().frame(request, version, out);
    members_[member].waits = waits;
    lanes_[member].send(out);
  }
  void take(std::size_t member, protocol::Bytes frame);
  void on_joined(std::size_t member, protocol::Bytes body);
  void on_synced(std::size_t member, protocol::Bytes body);
  void on_beaten(std::size_t member, protocol::Bytes body);
  // All have what the newest generation assigns.
  bool is_stable() const;

  const int pid_;
  KafkaConnection control_;
  std::vector<Lane> lanes_;
  std::vector<Member> members_;
  std::string group_;
  int groups_ = 0;
  std::int64_t generations_ = 0;
  double took_ = 0;
  double cpu_ = 0;
};

void Load::join(std::size_t member) {
  protocol::JoinGroupRequest request;
  request.group_id = group_;
  request.session_timeout_ms = 45000;
  request.rebalance_timeout_ms = 60000;
  request.member_id = members_[member].id;
  request.protocol_type = "consumer";
  request.protocols.push_back({"range", metadata});
  ask(member, request, join_version, Member::Waits::join);
}

void Load::sync(std::size_t member, const std::vector<std::string>& all) {
  protocol::SyncGroupRequest request;
  request.group_id = group_;
  request.generation_id = members_[member].generation;
  request.member_id = members_[member].id;
  request.protocol_type = "consumer";
  request.protocol_name = "range";
  for (const std::string& id : all) request.assignments.push_back({id, assignment});
  ask(member, request, sync_version, Member::Waits::sync);
}

void Load::on_joined(std::size_t member, protocol::Bytes body) {
  const auto answer = read_answer<protocol::JoinGroupResponse>(body, join_version);
  if (answer.error_code == member_id_required) {
    members_[member].id = answer.member_id;
    return join(member);
  }
  if (answer.error_code != 0) {
    throw std::runtime_error("a join was answered " + std::to_string(answer.error_code));
  }
  members_[member].generation = answer.generation_id;
  std::vector<std::string> all;
  for (const auto& one : answer.members) all.emplace_back(one.member_id);
  sync(member, all);
}

void Load::on_synced(std::size_t member, protocol::Bytes body) {
  const auto answer = read_answer<protocol::SyncGroupResponse>(body, sync_version);
  if (answer.error_code == rebalance_in_progress) return join(member);
  if (answer.error_code != 0 || answer.assignment.size() != assignment.size()) {
    throw std::runtime_error("a sync was answered " + std::to_string(answer.error_code));
  }
  members_[member].waits = Member::Waits::nothing;
}

void Load::beat(std::size_t member) {
  protocol::HeartbeatRequest request;
  request.group_id = group_;
  request.generation_id = members_[member].generation;
  request.member_id = members_[member].id;
  ask(member, request, heartbeat_version, Member::Waits::heartbeat);
}

void Load::on_beaten(std::size_t member, protocol::Bytes body) {
  const auto answer = read_answer<protocol::HeartbeatResponse>(body, heartbeat_version);
  if (answer.error_code == rebalance_in_progress) return join(member);
  if (answer.error_code != 0) {
    throw std::runtime_error("a heartbeat was answered " + std::to_string(answer.error_code));
  }
  members_[member].waits = Member::Waits::nothing;
}

void Load::take(std::size_t member, protocol::Bytes frame) {
  const protocol::Bytes body = frame.subspan(5);
  members_[member].heard = Clock::now();
  switch (members_[member].waits) {
    case Member::Waits::join: return on_joined(member, body);
    case Member::Waits::sync: return on_synced(member, body);
    case Member::Waits::heartbeat: return on_beaten(member, body);
    case Member::Waits::nothing: throw std::runtime_error("an answer that nobody asked for");
  }
}

bool Load::is_stable() const {
  return std::ranges::all_of(members_, [&](const Member& member) {
    return member.waits == Member::Waits::nothing &&
           member.generation == members_.front().generation;
  });
}

void Load::form() {
  group_ = fresh("classic-");
  find_coordinator(control_, group_);
  members_.assign(lanes_.size(), {});
  for (std::size_t i = 0; i < lanes_.size(); ++i) join(i);
  Poll poll(lanes_);
  while (!is_stable()) {
    poll.wait([&](std::size_t lane) {
      lanes_[lane].receive([&](protocol::Bytes frame, Clock::time_point) { take(lane, frame); });
    });
    for (std::size_t i = 0; i < members_.size(); ++i) {
      const bool is_due = members_[i].waits == Member::Waits::nothing &&
                          seconds_since(members_[i].heard) >= heartbeat_interval_s;
      if (is_due) beat(i);
    }
  }
  generations_ += members_.front().generation;
}

// So that a server does not keep up what nobody measures.
void Load::leave() {
  protocol::LeaveGroupRequest request;
  request.group_id = group_;
  for (const Member& member : members_) request.members.push_back({member.id, {}, {}});
  protocol::Buffer answer;
  control_.ask<protocol::LeaveGroupResponse>(request, leave_version, answer);
}

void Load::run(int groups) {
  groups_ = groups;
  generations_ = 0;
  took_ = cpu_ = 0;
  for (int i = 0; i < groups; ++i) {
    const double cpu_before = cpu_seconds(pid_);
    const auto start = Clock::now();
    form();
    took_ += seconds_since(start);
    cpu_ += cpu_seconds(pid_) - cpu_before;
    leave();
  }
}

void Load::report() const {
  std::printf(
      "{\"what\":\"join\",\"members\":%zu,\"groups\":%d,\"generations_a_group\":%.1f,"
      "\"seconds_a_group\":%.3f,\"server_cpu_ms_per_group\":%.1f}\n",
      lanes_.size(), groups_, static_cast<double>(generations_) / groups_, took_ / groups_,
      cpu_ * 1e3 / groups_);
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) {
  if (argc != 7) {
    std::cerr << "usage: join_load HOST PORT SERVER_PID MEMBERS WARM_GROUPS GROUPS\n";
    return 2;
  }
  try {
    muster::bench::Load load(argv[1], static_cast<std::uint16_t>(std::atoi(argv[2])),
                             std::atoi(argv[3]), std::strtoull(argv[4], nullptr, 10));
    load.run(std::atoi(argv[5]));
    load.run(std::atoi(argv[6]));
    load.report();
  } catch (const std::exception& error) {
    std::cerr << "join_load: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
