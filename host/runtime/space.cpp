#include "runtime/space.hpp"

#include "runtime/shard.hpp"

namespace muster::host {

Space::Space(SpaceContext context) : context_(std::move(context)) {
  for (std::uint32_t i = 0; i < context_.shard_count; ++i) {
    shards_.push_back(std::make_unique<Shard>(context_, i));
  }
  events_.struct_size = sizeof events_;
  events_.self = this;
  events_.gained = [](void* self, muster_str space, std::uint32_t shard, std::uint64_t epoch) {
    auto& own = *static_cast<Space*>(self);
    if (from_abi(space) == own.context_.name && shard < own.size()) own.shard(shard).gained(epoch);
  };
  events_.lost = [](void* self, muster_str space, std::uint32_t shard) {
    auto& own = *static_cast<Space*>(self);
    if (from_abi(space) == own.context_.name && shard < own.size()) own.shard(shard).lost();
  };
}

Space::~Space() = default;

std::string Space::open() {
  ErrorText error;
  const muster_code code =
      context_.store->open(context_.store_self, to_abi(std::string_view(context_.name)),
                           context_.shard_count, &events_, error.sink());
  if (code == MUSTER_OK) return {};
  if (code == MUSTER_INVALID_ARGUMENT && !error.text().empty()) {
    return error.text() + "; set offsets.topic.num.partitions to the number it was made with";
  }
  return error.text().empty() ? "the store refused to open '" + context_.name + "'" : error.text();
}

void Space::metadata_changed(const std::shared_ptr<const MetadataChange>& change) {
  for (auto& shard : shards_) shard->metadata_changed(change);
}

template <class Of>
std::uint32_t Space::sum(Of of) const {
  std::uint32_t sum = 0;
  for (const auto& shard : shards_) sum += of(*shard);
  return sum;
}

std::uint32_t Space::active() const {
  return sum([](const Shard& shard) { return shard.active() ? 1U : 0U; });
}

std::uint32_t Space::stalled() const {
  return sum([](const Shard& shard) { return shard.stalled() ? 1U : 0U; });
}

std::uint32_t Space::offloads_waiting() const {
  return sum([](const Shard& shard) { return shard.offloads_waiting(); });
}

}  // namespace muster::host
