// What the consumer protocol itself costs, without host, store and sockets: a steady heartbeat, and
// a large group's view for its assignor and taking the result in. Through the C table.
#include <benchmark/benchmark.h>
#include <muster/abi/plugin.h>
#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/testing/rig_sinks.hpp>

#include <cstring>
#include <random>

#include "bench_shard.hpp"

namespace muster::consumer {
namespace {

using Request = protocol::ConsumerGroupHeartbeatRequest;

testing::RequestSpec spec_of(const Request& request, const std::string& client_host) {
  testing::RequestSpec spec;
  spec.api_key = Request::api_key;
  spec.version = 1;
  spec.key = request.group_id;
  spec.client_host = client_host;
  protocol::encode(request, 1, spec.body);
  return spec;
}

// Members as the Java client names them: 22 characters of a random UUID.
std::string member_id(std::mt19937_64& random) {
  protocol::Uuid id;
  for (std::uint8_t& byte : id.bytes) byte = static_cast<std::uint8_t>(random());
  return id.to_string();
}

// A shard with members spread over groups, all stable at the group's epoch.
void steady_heartbeat(benchmark::State& state) {
  const auto groups = static_cast<std::size_t>(state.range(0));
  const auto members = static_cast<std::size_t>(state.range(1));
  BenchShard shard(1, 10);
  std::mt19937_64 random(1);
  std::vector<testing::RequestSpec> beats;
  for (std::size_t i = 0; i < groups * members; ++i) {
    const std::string group = "group-" + std::to_string(i % groups);
    const std::string member = member_id(random);
    const std::int32_t epoch = shard.add_member(group, member);
    Request request;
    request.group_id = group;
    request.member_id = member;
    request.member_epoch = epoch;
    beats.push_back(spec_of(request, "/127.0.0.1"));
  }
  shard.set_epochs();
  std::vector<testing::RequestTable> requests(beats.begin(), beats.end());
  std::shuffle(requests.begin(), requests.end(), random);
  shard.decide(requests[0].table());  // clears the refresh flag of the first group
  for (const auto& request : requests) shard.decide(request.table());
  std::size_t next = 0;
  shard.forget();
  for (auto _ : state) {
    shard.look(requests[next].table());
    if (++next == requests.size()) next = 0;
  }
  if (shard.timers() != static_cast<std::size_t>(state.iterations()) || shard.records() != 0) {
    state.SkipWithError("a heartbeat was not steady");
  }
}
BENCHMARK(steady_heartbeat)->Args({1, 20})->Args({20, 1})->Args({1, 1000})->Args({1, 10000});

void build_view(benchmark::State& state) {
  BenchShard shard(100, 1000);
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) shard.add_member("g", member_id(random));
  shard.assign_round_robin();
  for (auto _ : state) benchmark::DoNotOptimize(shard.view_members());
}
BENCHMARK(build_view)->Unit(benchmark::kMillisecond);

// `range(0)` of a thousand partitions change hands.
void apply_result(benchmark::State& state) {
  BenchShard shard(100, 1000);
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) shard.add_member("g", member_id(random));
  shard.assign_round_robin();
  shard.capture_view(static_cast<std::uint32_t>(state.range(0)));
  for (auto _ : state) shard.apply_captured();
  state.counters["records"] = static_cast<double>(shard.records()) /
                              static_cast<double>(state.iterations());
}
BENCHMARK(apply_result)->Arg(0)->Arg(10)->Arg(1000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace muster::consumer
