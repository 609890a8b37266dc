// Chooses between the two uniform algorithms, as Kafka's UniformAssignor does. Any thread.
#include "uniform.hpp"

#include <memory>
#include <optional>

namespace muster::uniform {

void UniformAssignor::assign(const sdk::PartitionView& view, sdk::PartitionSink& out) const {
  const std::uint32_t partitions = view.partition_count();
  if (view.member_count() == 0 || partitions == 0) return;
  const auto storage = std::make_unique_for_overwrite<std::uint32_t[]>(partitions);
  const std::span<std::uint32_t> owner{storage.get(), partitions};
  std::optional<racks::ViewRacks> racks;
  if (rack_aware_(view.group_id())) racks.emplace(view);
  const bool by_racks = racks && racks->matter();
  if (view.subscription_count() == 1 && view.subscription(0).size() == view.topic_count()) {
    if (by_racks) {
      assign_homogeneous(view, *racks, owner);
    } else {
      assign_homogeneous(view, owner);
    }
    return out.assign(0, owner);
  }
  assign_heterogeneous(view, owner);
  if (by_racks) rearrange_by_racks(view, *racks, owner);
  const auto first = view.topic_first();
  for (std::uint32_t t = 0; t < view.topic_count(); ++t) {
    const auto topic = owner.subspan(first[t], first[t + 1] - first[t]);
    if (!topic.empty() && topic[0] != MUSTER_NONE) out.assign(first[t], topic);
  }
}

}  // namespace muster::uniform
