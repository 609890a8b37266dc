// The workloads of tests/peers/assignors/AssignorBench.java, made the same way from the same seed,
// so that both time the same groups. Benches only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assignor.hpp"
#include "group.hpp"

namespace muster::assignors {

struct Shape {
  std::string assignor;      // range or uniform
  std::string subscription;  // homogeneous or heterogeneous
  std::string scenario;      // initial, add-member, remove-member or steady
  std::uint32_t members = 0;
  std::uint32_t topics = 0;
  std::uint32_t partitions = 100;  // of each topic
  // Racks that members are in, and in how many of them each partition has a replica; 0: no racks,
  // and the assignor is not asked to look at them.
  std::uint32_t racks = 0;
  std::uint32_t replicas = 0;
  bool co_partitioned = true;  // range with racks

  // As run.sh takes them; what is about racks comes last, as Kafka has none of it.
  std::string flags() const;
  Settings settings() const;
};

struct Workload {
  Group group;                      // at the timed call, previous owners included
  std::vector<std::uint32_t> name;  // by topic: its number in the generator, which names it
};

// The previous owners are what `assignor` itself makes of the group before the scenario's change.
Workload make_workload(const Shape& shape, const Assignor& assignor);

// Partitions whose owner is in one of their racks.
std::uint32_t count_in_rack(const Group& group, const Owners& owners);

// FNV-1a of the canonical text that AssignorBench.java describes: equal where all owners are.
std::uint64_t fingerprint(const Workload& workload, const Owners& owners);

}  // namespace muster::assignors
