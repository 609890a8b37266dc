// Offset commits against a server: how much of the server's CPU each costs, and how long it takes.
//
//   commit_load HOST PORT SERVER_PID CONNECTIONS IN_FLIGHT PARTITIONS WARM_COMMITS COMMITS
//
// Prints one JSON line. Each connection has a group of its own and so many commits under way.
#include "client/lane.hpp"
#include "client/setting_up.hpp"

#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/messages/offset_commit_response.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <stdexcept>

namespace muster::bench {
namespace {

constexpr std::int16_t version = 9;  // the last that names topics

struct Settings {
  std::string host;
  std::uint16_t port;
  int pid;
  int connections;
  std::size_t in_flight;
  int partitions;
};

class Load {
 public:
  explicit Load(const Settings& of)
      : pid_(of.pid), in_flight_(of.in_flight), partitions_(of.partitions) {
    KafkaConnection control(of.host, of.port);
    create_topic(control, topic_, of.partitions);
    for (int i = 0; i < of.connections; ++i) {
      groups_.push_back(fresh("commits-"));
      find_coordinator(control, groups_.back());
      lanes_.emplace_back(of.host, of.port);
    }
  }

  void run(std::uint64_t commits);
  void report();

 private:
  // As many as are to be under way, as long as commits are left to send.
  void fill(std::size_t lane);
  void append_commit(std::size_t lane, protocol::Buffer& out);
  void take(protocol::Bytes frame);

  const int pid_;
  const std::size_t in_flight_;
  const int partitions_;
  const std::string topic_ = fresh("bench-");
  std::vector<std::string> groups_;
  std::vector<Lane> lanes_;
  std::int64_t offset_ = 0;
  std::uint64_t commits_ = 0;
  std::uint64_t to_send_ = 0;
  double took_ = 0;
  double cpu_ = 0;
  Latencies latencies_;
};

void Load::append_commit(std::size_t lane, protocol::Buffer& out) {
  protocol::OffsetCommitRequest request;
  request.group_id = groups_[lane];
  request.generation_id_or_member_epoch = -1;
  auto& topic = request.topics.emplace_back();
  topic.name = topic_;
  for (std::int32_t p = 0; p < partitions_; ++p) {
    auto& partition = topic.partitions.emplace_back();
    partition.partition_index = p;
    partition.committed_offset = ++offset_;
    partition.committed_metadata = "";
  }
  lanes_[lane].connection().frame(request, version, out);
}

void Load::fill(std::size_t lane) {
  protocol::Buffer out;
  int count = 0;
  for (; to_send_ != 0 && lanes_[lane].under_way() + static_cast<std::size_t>(count) < in_flight_;
       --to_send_, ++count) {
    append_commit(lane, out);
  }
  if (count != 0) lanes_[lane].send(out, count);
}

void Load::take(protocol::Bytes frame) {
  const auto answer = read_answer<protocol::OffsetCommitResponse>(frame.subspan(5), version);
  for (const auto& partition : answer.topics.at(0).partitions) {
    if (partition.error_code != 0) {
      throw std::runtime_error("a commit was answered " + std::to_string(partition.error_code));
    }
  }
}

void Load::run(std::uint64_t commits) {
  latencies_.clear();
  const double cpu_before = cpu_seconds(pid_);
  const auto start = Clock::now();
  commits_ = to_send_ = commits;
  for (std::size_t i = 0; i < lanes_.size(); ++i) fill(i);
  poll_lanes(lanes_, [&](std::size_t lane) {
    lanes_[lane].receive([&](protocol::Bytes frame, Clock::time_point sent) {
      take(frame);
      latencies_.add(sent, Clock::now());
    });
    fill(lane);
  });
  took_ = seconds_since(start);
  cpu_ = cpu_seconds(pid_) - cpu_before;
}

void Load::report() {
  const auto count = static_cast<double>(commits_);
  std::printf(
      "{\"what\":\"commit\",\"connections\":%zu,\"in_flight\":%zu,\"partitions\":%d,"
      "\"commits\":%llu,\"per_second\":%.0f,\"server_cpu_us_per_commit\":%.2f,\"p50_us\":%u,\"p99_"
      "us\":%u}\n",
      lanes_.size(), in_flight_, partitions_, static_cast<unsigned long long>(commits_),
      count / took_, cpu_ * 1e6 / count, latencies_.percentile_us(0.5),
      latencies_.percentile_us(0.99));
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) {
  if (argc != 9) {
    std::cerr << "usage: commit_load HOST PORT SERVER_PID CONNECTIONS IN_FLIGHT PARTITIONS "
                 "WARM_COMMITS COMMITS\n";
    return 2;
  }
  try {
    muster::bench::Load load({argv[1], static_cast<std::uint16_t>(std::atoi(argv[2])),
                              std::atoi(argv[3]), std::atoi(argv[4]),
                              std::strtoull(argv[5], nullptr, 10), std::atoi(argv[6])});
    load.run(std::strtoull(argv[7], nullptr, 10));
    load.run(std::strtoull(argv[8], nullptr, 10));
    load.report();
  } catch (const std::exception& error) {
    std::cerr << "commit_load: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
