// Steady heartbeats of consumer groups against a server: how much of the server's CPU each costs,
// and how long it takes.
//
//   heartbeat_load HOST PORT SERVER_PID CONNECTIONS MEMBERS GROUPS IN_FLIGHT WARM_SECONDS SECONDS
//
// Prints one JSON line. A member joins, is brought to its target, then only says that it is there.
#include "heartbeats/kafka_client.hpp"

#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_response.hpp>
#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/create_topics_response.hpp>
#include <muster/protocol/messages/find_coordinator_request.hpp>
#include <muster/protocol/messages/find_coordinator_response.hpp>

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <thread>

namespace muster::bench {
namespace {

using Clock = std::chrono::steady_clock;
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

double cpu_seconds(int pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(stat, line);
  std::istringstream rest(line.substr(line.rfind(')') + 2));
  std::string skipped;
  for (int i = 0; i < 11; ++i) rest >> skipped;
  double user = 0;
  double system = 0;
  rest >> user >> system;
  return (user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

std::string fresh(const char* prefix) {
  static std::mt19937_64 random{std::random_device{}()};
  return prefix + std::to_string(random());
}

class Load {
 public:
  explicit Load(Setting setting) : setting_(std::move(setting)) {}

  void prepare();
  void settle();
  void run(double seconds, bool measure);
  void report();

 private:
  struct Sent {
    Clock::time_point at;
  };
  struct Lane {
    std::unique_ptr<KafkaConnection> connection;
    std::vector<std::size_t> members;
    std::size_t next = 0;
    std::deque<Sent> sent;
    protocol::Buffer in;
    std::size_t have = 0;
  };

  bool bring_to_target(Member& member, KafkaConnection& connection);
  void send_some(Lane& lane, int count);
  int take_answers(Lane& lane);
  void check(protocol::Bytes frame);

  Setting setting_;
  std::string topic_ = fresh("bench-");
  std::vector<Member> members_;
  std::vector<Lane> lanes_;
  bool measuring_ = false;
  std::uint64_t beats_ = 0;
  double took_ = 0;
  double cpu_ = 0;
  std::vector<std::uint32_t> latency_us_;
};

void Load::prepare() {
  KafkaConnection control(setting_.host, setting_.port);
  protocol::Buffer answer;
  protocol::CreateTopicsRequest create;
  create.topics.push_back({topic_, setting_.members / setting_.groups, 1, {}, {}});
  const auto created = control.ask<protocol::CreateTopicsResponse>(create, 7, answer);
  if (created.topics.at(0).error_code != 0) throw std::runtime_error("the topic was not created");
  for (int g = 0; g < setting_.groups; ++g) {
    const std::string group = fresh("group-");
    protocol::FindCoordinatorRequest find;
    find.coordinator_keys.push_back(group);
    for (int tries = 0; tries < 100; ++tries) {
      const auto found = control.ask<protocol::FindCoordinatorResponse>(find, 6, answer);
      if (found.coordinators.at(0).error_code == 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    for (int m = 0; m < setting_.members / setting_.groups; ++m) {
      members_.push_back({group, fresh("member-"), 0, {}});
    }
  }
  for (int i = 0; i < setting_.connections; ++i) {
    lanes_.push_back(
        {std::make_unique<KafkaConnection>(setting_.host, setting_.port), {}, 0, {}, {}, 0});
    lanes_.back().in.resize(64u << 10);
  }
  for (std::size_t i = 0; i < members_.size(); ++i) lanes_[i % lanes_.size()].members.push_back(i);
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
    for (Lane& lane : lanes_) {
      for (const std::size_t i : lane.members)
        same = bring_to_target(members_[i], *lane.connection) && same;
    }
    quiet = same ? quiet + 1 : 0;
    if (same) std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  }
}

void Load::send_some(Lane& lane, int count) {
  protocol::Buffer out;
  const auto now = Clock::now();
  for (int i = 0; i < count; ++i) {
    const Member& member = members_[lane.members[lane.next++ % lane.members.size()]];
    Request request;
    request.group_id = member.group;
    request.member_id = member.id;
    request.member_epoch = member.epoch;
    lane.connection->frame(request, version, out);
    lane.sent.push_back({now});
  }
  lane.connection->send_all(out);
}

void Load::check(protocol::Bytes frame) {
  const auto response = protocol::decode<Response>(frame.subspan(5), version);
  if (!response || response->error_code != 0) throw std::runtime_error("a heartbeat was refused");
}

int Load::take_answers(Lane& lane) {
  const ssize_t got =
      ::recv(lane.connection->socket(), lane.in.data() + lane.have, lane.in.size() - lane.have, 0);
  if (got <= 0) throw std::runtime_error("the server closed the connection");
  lane.have += static_cast<std::size_t>(got);
  const auto now = Clock::now();
  std::size_t at = 0;
  int answers = 0;
  while (lane.have - at >= 4) {
    const std::uint8_t* p = lane.in.data() + at;
    const std::size_t size =
        std::size_t{p[0]} << 24 | std::size_t{p[1]} << 16 | std::size_t{p[2]} << 8 | p[3];
    if (lane.have - at - 4 < size) break;
    check({p + 4, size});
    at += 4 + size;
    ++answers;
    if (measuring_) {
      latency_us_.push_back(static_cast<std::uint32_t>(
          std::chrono::duration_cast<std::chrono::microseconds>(now - lane.sent.front().at)
              .count()));
    }
    lane.sent.pop_front();
  }
  std::copy(lane.in.begin() + static_cast<std::ptrdiff_t>(at),
            lane.in.begin() + static_cast<std::ptrdiff_t>(lane.have), lane.in.begin());
  lane.have -= at;
  return answers;
}

void Load::run(double seconds, bool measure) {
  measuring_ = measure;
  const int poll = ::epoll_create1(0);
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = i;
    ::epoll_ctl(poll, EPOLL_CTL_ADD, lanes_[i].connection->socket(), &event);
    send_some(lanes_[i], setting_.in_flight);
  }
  const double cpu_before = cpu_seconds(setting_.pid);
  const auto start = Clock::now();
  const auto end =
      start + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::uint64_t beats = 0;
  int open = setting_.in_flight * static_cast<int>(lanes_.size());
  while (open != 0) {
    epoll_event events[64];
    const int ready = ::epoll_wait(poll, events, 64, 1000);
    const bool more = Clock::now() < end;
    for (int i = 0; i < ready; ++i) {
      Lane& lane = lanes_[events[i].data.u64];
      const int answers = take_answers(lane);
      beats += static_cast<std::uint64_t>(answers);
      open -= answers;
      if (!more || answers == 0) continue;
      send_some(lane, answers);
      open += answers;
    }
  }
  took_ = std::chrono::duration<double>(Clock::now() - start).count();
  cpu_ = cpu_seconds(setting_.pid) - cpu_before;
  beats_ = beats;
  ::close(poll);
}

void Load::report() {
  std::ranges::sort(latency_us_);
  const auto percentile = [&](double share) {
    return latency_us_.empty() ? 0u
                               : latency_us_[static_cast<std::size_t>(
                                     share * static_cast<double>(latency_us_.size() - 1))];
  };
  std::printf(
      "{\"connections\":%d,\"members\":%d,\"in_flight\":%d,\"heartbeats\":%llu,\"per_second\":%.0f,"
      "\"server_cpu_us_per_heartbeat\":%.3f,\"p50_us\":%u,\"p99_us\":%u}\n",
      setting_.connections, setting_.members, setting_.in_flight,
      static_cast<unsigned long long>(beats_), static_cast<double>(beats_) / took_,
      cpu_ * 1e6 / static_cast<double>(beats_), percentile(0.5), percentile(0.99));
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
