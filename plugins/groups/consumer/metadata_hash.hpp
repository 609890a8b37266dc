// Kafka's metadata hash of a group: a change of any subscribed topic changes it. Pure, any thread.
#pragma once

#include <muster/sdk/metadata.hpp>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "subscriptions.hpp"

namespace muster::consumer {

// Of topic hashes in topic-name order; 0 for none.
std::uint64_t hash_of_topics(std::span<const std::uint64_t> topic_hashes);

// Of those topics that exist. `names` ascending.
std::uint64_t metadata_hash(std::span<const std::string_view> names, const sdk::Metadata& metadata);

}  // namespace muster::consumer
