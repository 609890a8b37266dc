// What load tools need before they begin: a topic, a coordinator, something to produce.
#pragma once

#include "client/kafka_client.hpp"

#include <muster/protocol/types.hpp>

#include <cstdint>
#include <string>

namespace muster::bench {

void create_topic(KafkaConnection& control, const std::string& topic, std::int32_t partitions);
// Waits until there is one that serves the group.
void find_coordinator(KafkaConnection& control, const std::string& group);

// A produced batch has records of 1 KiB, random so that nothing compresses them.
protocol::Buffer random_batch(int records);

}  // namespace muster::bench
