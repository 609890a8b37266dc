// XXH3-64 over the topic hashes, little-endian. Pure, any thread.
#include "metadata_hash.hpp"

#include <bit>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace muster::consumer {

std::uint64_t hash_of_topics(std::span<const std::uint64_t> topic_hashes) {
  static_assert(std::endian::native == std::endian::little, "hashes are laid out little-endian");
  if (topic_hashes.empty()) return 0;
  return XXH3_64bits(topic_hashes.data(), topic_hashes.size_bytes());
}

std::uint64_t metadata_hash(std::span<const std::string_view> names,
                            const sdk::Metadata& metadata) {
  std::vector<std::uint64_t> hashes;
  hashes.reserve(names.size());
  for (const std::string_view name : names) {
    if (const auto topic = metadata.by_name(name)) hashes.push_back(topic->hash());
  }
  return hash_of_topics(hashes);
}

}  // namespace muster::consumer
