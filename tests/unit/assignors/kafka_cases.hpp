// The stored outcomes of Kafka's assignors; tests/vectors/assignors/README.md has the format.
#pragma once

#include <string>
#include <vector>

#include "group.hpp"

namespace muster::assignors {

struct KafkaCase {
  std::string name;
  std::string order;  // index, hash or free
  Group group;
  Owners owners;
};

// "range" or "uniform". Throws if the file cannot be read to its end.
std::vector<KafkaCase> read_kafka_cases(const std::string& assignor);

}  // namespace muster::assignors
