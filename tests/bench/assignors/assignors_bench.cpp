// Times one call of an assignor through its library's C table, the copy that a host makes of the
// result included. A benchmark's name is the flags of the same workload for tests/peers/assignors.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "workload.hpp"

namespace muster::assignors {
namespace {

void copy_owners(void* self, std::uint32_t first, std::uint32_t count,
                 const std::uint32_t* members) {
  std::memcpy(static_cast<std::uint32_t*>(self) + first, members, count * sizeof *members);
}

// What moved, how even it is, and the label by which to tell equal assignments.
void describe(benchmark::State& state, const Workload& workload, const Owners& owners) {
  const Group& group = workload.group;
  std::vector<std::uint32_t> loads(group.members.size());
  std::uint32_t moved = 0;
  for (std::size_t p = 0; p < owners.size(); ++p) {
    ++loads[owners[p]];
    if (group.current.empty() || group.current[p] == MUSTER_NONE) continue;
    moved += group.current[p] != owners[p] ? 1 : 0;
  }
  const auto [least, most] = std::ranges::minmax(loads);
  state.counters["moved"] = moved;
  state.counters["min"] = least;
  state.counters["max"] = most;
  if (!group.racks.empty()) state.counters["in rack"] = count_in_rack(group, owners);
  char label[17];
  std::snprintf(label, sizeof label, "%016llx",
                static_cast<unsigned long long>(fingerprint(workload, owners)));
  state.SetLabel(label);
}

void time_assign(benchmark::State& state, const Shape& shape) {
  const Assignor assignor(shape.assignor, Linked::as_library, shape.settings());
  const Workload workload = make_workload(shape, assignor);
  const GroupView view(workload.group);
  Owners owners(workload.group.partition_count(), MUSTER_NONE);
  const muster_partition_sink out = {sizeof out, owners.data(), copy_owners};
  for (auto _ : state) {
    if (assignor.assign(view.table(), out) != MUSTER_OK) return state.SkipWithError("refused");
    benchmark::ClobberMemory();
  }
  describe(state, workload, owners);
}

void add(const Shape& shape) {
  benchmark::RegisterBenchmark(shape.flags().c_str(), [shape](benchmark::State& state) {
    time_assign(state, shape);
  })->Unit(benchmark::kMicrosecond);
}

// Three racks and one to three replicas.
void add_with_racks() {
  for (const char* subscription : {"homogeneous", "heterogeneous"}) {
    for (const char* scenario : {"initial", "add-member"}) {
      for (const std::uint32_t replicas : {1u, 2u, 3u}) {
        add({"uniform", subscription, scenario, 10000, 1000, 100, 3, replicas});
        add({"range", subscription, scenario, 10000, 1000, 100, 3, replicas});
        add({"range", subscription, scenario, 10000, 1000, 100, 3, replicas, false});
      }
    }
  }
}

void add_all() {
  for (const char* assignor : {"uniform", "range"}) {
    for (const char* subscription : {"homogeneous", "heterogeneous"}) {
      for (const char* scenario : {"initial", "add-member"}) {
        for (const std::uint32_t members : {1000u, 10000u}) {
          for (const std::uint32_t topics : {100u, 1000u}) {
            add({assignor, subscription, scenario, members, topics});
          }
        }
      }
    }
  }
  for (const char* subscription : {"homogeneous", "heterogeneous"}) {
    for (const char* scenario : {"remove-member", "steady"}) {
      add({"uniform", subscription, scenario, 1000, 100});
    }
  }
  add_with_racks();
}

}  // namespace
}  // namespace muster::assignors

int main(int argc, char** argv) {
  muster::assignors::add_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
