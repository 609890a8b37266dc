// Producers and consumers of 1 KiB records against a server: how many records a second, how much of
// the server's CPU each costs, and how long a request takes.
//
//   log_load HOST PORT SERVER_PID CLIENTS RECORDS_A_BATCH WARM_SECONDS SECONDS
//
// Prints two JSON lines, of producing and of fetching what was produced. A producer waits for
// acks=all and has five requests under way, one batch each; a consumer has one fetch under way,
// with the limits of Kafka's own consumer. Random values: nothing compresses them.
#include "client/lane.hpp"
#include "client/setting_up.hpp"

#include <muster/protocol/messages/fetch_request.hpp>
#include <muster/protocol/messages/fetch_response.hpp>
#include <muster/protocol/messages/produce_request.hpp>
#include <muster/protocol/messages/produce_response.hpp>
#include <muster/protocol/record_batch.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace muster::bench {
namespace {

constexpr std::int32_t partitions = 16;
constexpr int in_flight = 5;
// The last versions that name topics.
constexpr std::int16_t produce_version = 12;
constexpr std::int16_t fetch_version = 12;

struct Setting {
  std::string host;
  std::uint16_t port;
  int pid;
  int clients, records_a_batch;
};

class Load {
 public:
  explicit Load(Setting setting) : setting_(std::move(setting)) {}

  void prepare();
  void produce(double seconds);
  void fetch(double seconds);
  void report(const char* what);

 private:
  // A client's partitions, and where it reads them.
  struct Share {
    std::vector<std::int32_t> partitions;
    std::vector<protocol::Buffer> produce_frames;
    std::size_t next = 0;
  };

  protocol::ProduceRequest produce_request(std::int32_t partition, protocol::Bytes records) const;
  void wait_for_leader(KafkaConnection& control, std::int32_t partition,
                       protocol::Bytes records) const;
  void send_batches(std::size_t lane, int count);
  void take_produced(protocol::Bytes frame);
  void send_fetch(std::size_t lane);
  void take_fetched(protocol::Bytes frame);
  template <class Work>
  void measure(Work work);

  const Setting setting_;
  const std::string topic_ = fresh("bench-");
  std::vector<Lane> lanes_;
  std::vector<Share> shares_;
  std::vector<std::int64_t> offsets_ = std::vector<std::int64_t>(partitions);
  std::uint64_t records_ = 0;
  double took_ = 0;
  double cpu_ = 0;
  Latencies latencies_;
};

protocol::ProduceRequest Load::produce_request(std::int32_t partition,
                                               protocol::Bytes records) const {
  protocol::ProduceRequest request;
  request.acks = -1;
  request.timeout_ms = 30000;
  auto& topic = request.topic_data.emplace_back();
  topic.name = topic_;
  topic.partition_data.push_back({partition, records});
  return request;
}

// A broker may answer for a partition somewhat later than it is announced.
void Load::wait_for_leader(KafkaConnection& control, std::int32_t partition,
                           protocol::Bytes records) const {
  const protocol::ProduceRequest request = produce_request(partition, records);
  for (int tries = 0; tries < 100; ++tries) {
    protocol::Buffer answer;
    const auto told = control.ask<protocol::ProduceResponse>(request, produce_version, answer);
    if (told.responses.at(0).partition_responses.at(0).error_code == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  throw std::runtime_error("a partition has no leader");
}

void Load::prepare() {
  KafkaConnection control(setting_.host, setting_.port);
  create_topic(control, topic_, partitions);
  const protocol::Buffer records = random_batch(setting_.records_a_batch);
  for (std::int32_t p = 0; p < partitions; ++p) wait_for_leader(control, p, records);
  shares_.resize(static_cast<std::size_t>(setting_.clients));
  for (std::int32_t p = 0; p < partitions; ++p) {
    shares_[static_cast<std::size_t>(p % setting_.clients)].partitions.push_back(p);
  }
  for (Share& share : shares_) {
    Lane& lane = lanes_.emplace_back(setting_.host, setting_.port);
    for (const std::int32_t p : share.partitions) {
      lane.connection().frame(produce_request(p, records), produce_version,
                              share.produce_frames.emplace_back());
    }
  }
}

void Load::send_batches(std::size_t lane, int count) {
  Share& share = shares_[lane];
  for (int i = 0; i < count; ++i) {
    lanes_[lane].send(share.produce_frames[share.next++ % share.produce_frames.size()]);
  }
}

void Load::take_produced(protocol::Bytes frame) {
  const auto response =
      protocol::decode<protocol::ProduceResponse>(frame.subspan(5), produce_version);
  if (!response) throw std::runtime_error("an answer to a batch cannot be read");
  const auto& partition = response->responses.at(0).partition_responses.at(0);
  if (partition.error_code != 0) {
    throw std::runtime_error("a batch was refused with error " +
                             std::to_string(partition.error_code));
  }
  records_ += static_cast<std::uint64_t>(setting_.records_a_batch);
}

template <class Work>
void Load::measure(Work work) {
  latencies_.clear();
  records_ = 0;
  const double cpu_before = cpu_seconds(setting_.pid);
  const auto start = Clock::now();
  work(start);
  took_ = seconds_since(start);
  cpu_ = cpu_seconds(setting_.pid) - cpu_before;
}

void Load::produce(double seconds) {
  measure([&](Clock::time_point start) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) send_batches(i, in_flight);
    poll_lanes(lanes_, [&](std::size_t lane) {
      const auto now = Clock::now();
      const int answers = lanes_[lane].receive([&](protocol::Bytes frame, Clock::time_point sent) {
        take_produced(frame);
        latencies_.add(sent, now);
      });
      if (seconds_since(start) < seconds) send_batches(lane, answers);
    });
  });
}

void Load::send_fetch(std::size_t lane) {
  protocol::FetchRequest request;
  request.max_wait_ms = 500;
  request.min_bytes = 1;
  request.max_bytes = 52428800;
  auto& topic = request.topics.emplace_back();
  topic.topic = topic_;
  for (const std::int32_t p : shares_[lane].partitions) {
    auto& partition = topic.partitions.emplace_back();
    partition.partition = p;
    partition.fetch_offset = offsets_[static_cast<std::size_t>(p)];
    partition.partition_max_bytes = 1048576;
  }
  protocol::Buffer out;
  lanes_[lane].connection().frame(request, fetch_version, out);
  lanes_[lane].send(out);
}

// At the end of a partition it begins again.
void Load::take_fetched(protocol::Bytes frame) {
  const auto response = protocol::decode<protocol::FetchResponse>(frame.subspan(5), fetch_version);
  if (!response || response->error_code != 0) throw std::runtime_error("a fetch was refused");
  for (const auto& topic : response->responses) {
    for (const auto& partition : topic.partitions) {
      if (partition.error_code != 0) throw std::runtime_error("a partition was refused");
      std::int64_t& offset = offsets_[static_cast<std::size_t>(partition.partition_index)];
      for (const auto& batch : protocol::Batches(partition.records.value_or(protocol::Bytes{}))) {
        records_ += static_cast<std::uint64_t>(batch.record_count());
        offset = batch.next_offset();
      }
      if (offset >= partition.high_watermark) offset = 0;
    }
  }
}

void Load::fetch(double seconds) {
  std::ranges::fill(offsets_, 0);
  measure([&](Clock::time_point start) {
    for (std::size_t i = 0; i < lanes_.size(); ++i) send_fetch(i);
    poll_lanes(lanes_, [&](std::size_t lane) {
      const int answers = lanes_[lane].receive([&](protocol::Bytes frame, Clock::time_point sent) {
        latencies_.add(sent, Clock::now());
        take_fetched(frame);
      });
      if (answers != 0 && seconds_since(start) < seconds) send_fetch(lane);
    });
  });
}

void Load::report(const char* what) {
  std::printf(
      "{\"what\":\"%s\",\"clients\":%d,\"records_a_batch\":%d,\"records\":%llu,"
      "\"per_second\":%.0f,\"server_cpu_us_per_record\":%.3f,\"p50_us\":%u,\"p99_us\":%u}\n",
      what, setting_.clients, setting_.records_a_batch, static_cast<unsigned long long>(records_),
      static_cast<double>(records_) / took_, cpu_ * 1e6 / static_cast<double>(records_),
      latencies_.percentile_us(0.5), latencies_.percentile_us(0.99));
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) {
  if (argc != 8) {
    std::cerr << "usage: log_load HOST PORT SERVER_PID CLIENTS RECORDS_A_BATCH WARM_SECONDS "
                 "SECONDS\n";
    return 2;
  }
  try {
    const double warm_seconds = std::atof(argv[6]);
    const double seconds = std::atof(argv[7]);
    muster::bench::Load load({argv[1], static_cast<std::uint16_t>(std::atoi(argv[2])),
                              std::atoi(argv[3]), std::atoi(argv[4]), std::atoi(argv[5])});
    load.prepare();
    load.produce(warm_seconds);
    load.produce(seconds);
    load.report("produce");
    load.fetch(warm_seconds);
    load.fetch(seconds);
    load.report("fetch");
  } catch (const std::exception& error) {
    std::cerr << "log_load: " << error.what() << "\n";
    return 1;
  }
  return 0;
}
