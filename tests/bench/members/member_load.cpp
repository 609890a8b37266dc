// What a server's memory grows to while consumers heartbeat and commit and producers produce, all
// at the pace of Kafka's own clients.
//
//   member_load HOST PORT SERVER_PID CONNECTIONS MEMBERS GROUPS SECONDS
//
// Each member heartbeats and commits every 5 s; beside them 300 batches of 15 records of 1 KiB are
// produced a second. Prints a JSON line every 10 s, and one at the end.
#include "client/kafka_client.hpp"
#include "client/measures.hpp"
#include "client/setting_up.hpp"

#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_response.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/messages/offset_commit_response.hpp>
#include <muster/protocol/messages/produce_request.hpp>
#include <muster/protocol/messages/produce_response.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace muster::bench {
namespace {

using protocol::ConsumerGroupHeartbeatRequest;
using protocol::ConsumerGroupHeartbeatResponse;
using protocol::OffsetCommitRequest;
using protocol::OffsetCommitResponse;
using protocol::ProduceRequest;
using protocol::ProduceResponse;

constexpr std::int16_t heartbeat_version = 1;
constexpr std::int16_t commit_version = 9;    // the last that names topics
constexpr std::int16_t produce_version = 12;  // the last that names topics
constexpr std::chrono::milliseconds tick{100};
constexpr std::size_t ticks_a_period = 50;
constexpr std::size_t batches_a_tick = 30;
constexpr int records_a_batch = 15;

struct Setting {
  std::string host;
  std::uint16_t port;
  int pid;
  std::size_t connections, members, groups;
  double seconds;
};

struct Member {
  std::string group;
  std::string id;
  std::int32_t epoch = 0;
  protocol::Uuid topic_id{};
  std::vector<std::int32_t> partitions{};
  std::int64_t committed = 0;
};

double resident_mb(int pid) {
  std::ifstream status("/proc/" + std::to_string(pid) + "/status");
  std::string word;
  while (status >> word && word != "VmRSS:") {
  }
  double kb = 0;
  status >> kb;
  return kb / 1024;
}

class Load {
 public:
  explicit Load(Setting setting) : setting_(std::move(setting)) {}

  void prepare();
  void settle();
  void run();

 private:
  // Asks make(i) for i in [0, count), one request a connection at a time; take(i, response).
  template <class Response, class Make, class Take>
  void ask_all(std::int16_t version, std::size_t count, Make make, Take take);
  bool join();
  void heartbeat(std::size_t first, std::size_t count);
  void commit(std::size_t first, std::size_t count);
  void produce();
  Member& member(std::size_t number) { return members_[number % members_.size()]; }
  void report(const char* what, double seconds);

  const Setting setting_;
  const std::string topic_ = fresh("bench-");
  std::size_t partitions_ = 0;
  std::vector<Member> members_;
  std::vector<KafkaConnection> connections_;
  protocol::Buffer batch_;
  std::size_t produced_ = 0;
  std::size_t refused_ = 0;
  double most_mb_ = 0;
  double cpu_before_ = 0;
};

void Load::prepare() {
  batch_ = random_batch(records_a_batch);
  partitions_ = setting_.members / setting_.groups;
  KafkaConnection control(setting_.host, setting_.port);
  create_topic(control, topic_, static_cast<std::int32_t>(partitions_));
  for (std::size_t g = 0; g < setting_.groups; ++g) {
    const std::string group = fresh("group-");
    find_coordinator(control, group);
    for (std::size_t m = 0; m < partitions_; ++m) members_.push_back({group, fresh("member-")});
  }
  for (std::size_t i = 0; i < setting_.connections; ++i) {
    connections_.emplace_back(setting_.host, setting_.port);
  }
}

template <class Response, class Make, class Take>
void Load::ask_all(std::int16_t version, std::size_t count, Make make, Take take) {
  const std::size_t at_once = connections_.size();
  for (std::size_t done = 0; done < count; done += at_once) {
    const std::size_t now = std::min(at_once, count - done);
    for (std::size_t i = 0; i < now; ++i) {
      protocol::Buffer out;
      connections_[i].frame(make(done + i), version, out);
      connections_[i].send_all(out);
    }
    for (std::size_t i = 0; i < now; ++i) {
      const protocol::Buffer answer = connections_[i].receive();
      take(done + i, read_answer<Response>(protocol::Bytes(answer).subspan(5), version));
    }
  }
}

// One heartbeat of every member that tells everything; true if none changed anything.
bool Load::join() {
  bool same = true;
  const auto full = [&](std::size_t i) {
    const Member& member = members_[i];
    ConsumerGroupHeartbeatRequest request;
    request.group_id = member.group;
    request.member_id = member.id;
    request.member_epoch = member.epoch;
    request.rebalance_timeout_ms = 60000;
    request.subscribed_topic_names = {{topic_}};
    request.topic_partitions.emplace();
    if (!member.partitions.empty()) {
      request.topic_partitions->push_back({member.topic_id, member.partitions});
    }
    return request;
  };
  const auto take = [&](std::size_t i, const ConsumerGroupHeartbeatResponse& response) {
    Member& member = members_[i];
    // Loading, or no coordinator yet.
    if (response.error_code >= 14 && response.error_code <= 16) {
      same = false;
      return;
    }
    if (response.error_code != 0) {
      throw std::runtime_error("heartbeat error " + std::to_string(response.error_code));
    }
    same = same && response.member_epoch == member.epoch;
    member.epoch = response.member_epoch;
    if (!response.assignment) return;
    std::vector<std::int32_t> partitions;
    for (const auto& topic : response.assignment->topic_partitions) {
      member.topic_id = topic.topic_id;
      partitions.assign(topic.partitions.begin(), topic.partitions.end());
    }
    same = same && partitions == member.partitions;
    member.partitions = std::move(partitions);
  };
  ask_all<ConsumerGroupHeartbeatResponse>(heartbeat_version, members_.size(), full, take);
  return same;
}

void Load::settle() {
  for (int rounds = 0, quiet = 0; quiet < 2; ++rounds) {
    if (rounds > 100) throw std::runtime_error("the groups do not settle");
    quiet = join() ? quiet + 1 : 0;
    // Longer than Kafka's assignment interval.
    std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  }
}

void Load::heartbeat(std::size_t first, std::size_t count) {
  const auto make = [&](std::size_t i) {
    const Member& member = this->member(first + i);
    ConsumerGroupHeartbeatRequest request;
    request.group_id = member.group;
    request.member_id = member.id;
    request.member_epoch = member.epoch;
    return request;
  };
  const auto take = [&](std::size_t, const ConsumerGroupHeartbeatResponse& response) {
    if (response.error_code != 0) ++refused_;
  };
  ask_all<ConsumerGroupHeartbeatResponse>(heartbeat_version, count, make, take);
}

void Load::commit(std::size_t first, std::size_t count) {
  const auto make = [&](std::size_t i) {
    Member& member = this->member(first + i);
    OffsetCommitRequest request;
    request.group_id = member.group;
    request.member_id = member.id;
    request.generation_id_or_member_epoch = member.epoch;
    auto& topic = request.topics.emplace_back();
    topic.name = topic_;
    ++member.committed;
    for (const std::int32_t p : member.partitions) {
      auto& partition = topic.partitions.emplace_back();
      partition.partition_index = p;
      partition.committed_offset = member.committed;
    }
    return request;
  };
  const auto take = [&](std::size_t, const OffsetCommitResponse& response) {
    for (const auto& topic : response.topics) {
      for (const auto& partition : topic.partitions) refused_ += partition.error_code != 0 ? 1 : 0;
    }
  };
  ask_all<OffsetCommitResponse>(commit_version, count, make, take);
}

void Load::produce() {
  const auto make = [&](std::size_t) {
    ProduceRequest request;
    request.acks = -1;
    request.timeout_ms = 30000;
    auto& topic = request.topic_data.emplace_back();
    topic.name = topic_;
    const auto partition = static_cast<std::int32_t>(produced_++ % partitions_);
    topic.partition_data.push_back({partition, batch_});
    return request;
  };
  const auto take = [&](std::size_t, const ProduceResponse& response) {
    refused_ += response.responses.at(0).partition_responses.at(0).error_code != 0 ? 1 : 0;
  };
  ask_all<ProduceResponse>(produce_version, batches_a_tick, make, take);
}

void Load::report(const char* what, double seconds) {
  std::printf(
      "{\"what\":\"%s\",\"seconds\":%.0f,\"members\":%zu,\"resident_mb\":%.1f,"
      "\"resident_most_mb\":%.1f,\"server_cpu_percent\":%.1f,\"refused\":%zu}\n",
      what, seconds, members_.size(), resident_mb(setting_.pid), most_mb_,
      (cpu_seconds(setting_.pid) - cpu_before_) / seconds * 100, refused_);
  std::fflush(stdout);
}

void Load::run() {
  const std::size_t members_a_tick = members_.size() / ticks_a_period;
  const auto start = Clock::now();
  cpu_before_ = cpu_seconds(setting_.pid);
  double next_report = 10;
  std::size_t ticks = 0;
  for (; seconds_since(start) < setting_.seconds; ++ticks) {
    heartbeat(ticks * members_a_tick, members_a_tick);
    commit(ticks * members_a_tick, members_a_tick);
    produce();
    most_mb_ = std::max(most_mb_, resident_mb(setting_.pid));
    if (seconds_since(start) > next_report) {
      report("growing", seconds_since(start));
      next_report += 10;
    }
    // A server that is too slow for the pace is not pressed harder afterwards.
    std::this_thread::sleep_until(
        std::max(Clock::now(), start + tick * static_cast<std::int64_t>(ticks + 1)));
  }
  report("grown", seconds_since(start));
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) {
  if (argc != 8) {
    std::cerr << "usage: member_load HOST PORT SERVER_PID CONNECTIONS MEMBERS GROUPS SECONDS\n";
    return 2;
  }
  const auto number = [&](int at) { return std::strtoull(argv[at], nullptr, 10); };
  try {
    muster::bench::Load load({argv[1], static_cast<std::uint16_t>(number(2)),
                              static_cast<int>(number(3)), number(4), number(5), number(6),
                              std::atof(argv[7])});
    load.prepare();
    load.settle();
    load.run();
  } catch (const std::exception& error) {
    std::cerr << "member_load: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
