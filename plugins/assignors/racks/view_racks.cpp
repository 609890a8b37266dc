// Numbers the racks that matter and finds each partition's set of them. Any thread.
#include <racks/view_racks.hpp>

#include <algorithm>
#include <array>

namespace muster::racks {
namespace {

// Up to so many racks the sets of them fit a table.
constexpr std::uint32_t masked_racks_max = 8;

}  // namespace

ViewRacks::ViewRacks(const sdk::PartitionView& view) {
  number_racks(view);
  if (count_ == 0) return;
  if (count_ <= masked_racks_max) {
    gather_by_mask(view);
  } else {
    gather_by_list(view);
  }
  matter_ = !is_everything_everywhere();
}

void ViewRacks::number_racks(const sdk::PartitionView& view) {
  const std::size_t all = view.racks().size();
  std::vector<char> has_replica(all);
  if (all == 0) return of_member_.assign(view.member_count(), no_rack);
  const std::uint32_t replicas = view.table()->partition_rack_first[view.partition_count()];
  for (std::uint32_t i = 0; i < replicas; ++i) has_replica[view.table()->partition_racks[i]] = 1;
  number_.assign(all, no_rack);
  for (const std::uint32_t rack : view.member_racks()) {
    if (rack < all && has_replica[rack] != 0) number_[rack] = 0;
  }
  for (std::uint32_t& number : number_) {
    if (number != no_rack) number = count_++;
  }
  of_member_.reserve(view.member_count());
  for (const std::uint32_t rack : view.member_racks()) {
    of_member_.push_back(rack < all ? number_[rack] : no_rack);
  }
}

std::uint32_t ViewRacks::intern(std::span<const std::uint32_t> racks) {
  scratch_.clear();
  for (const std::uint32_t rack : racks) scratch_.push_back({rack, 1});
  return sets_.intern(scratch_);
}

void ViewRacks::gather_by_mask(const sdk::PartitionView& view) {
  std::array<std::uint32_t, 1 << masked_racks_max> set_of_mask;
  set_of_mask.fill(no_rack);
  std::vector<std::uint32_t> bits(number_.size());
  for (std::size_t rack = 0; rack < bits.size(); ++rack) {
    bits[rack] = number_[rack] == no_rack ? 0 : 1U << number_[rack];
  }
  set_of_partition_.resize(view.partition_count());
  for (std::uint32_t p = 0; p < view.partition_count(); ++p) {
    std::uint32_t mask = 0;
    for (const std::uint32_t rack : view.partition_racks(p)) mask |= bits[rack];
    std::uint32_t& set = set_of_mask[mask];
    if (set == no_rack) {
      std::vector<std::uint32_t> racks;
      for (std::uint32_t rack = 0; rack < count_; ++rack) {
        if ((mask >> rack & 1) != 0) racks.push_back(rack);
      }
      set = intern(racks);
    }
    set_of_partition_[p] = set;
  }
}

void ViewRacks::gather_by_list(const sdk::PartitionView& view) {
  std::vector<std::uint32_t> racks;
  set_of_partition_.reserve(view.partition_count());
  for (std::uint32_t p = 0; p < view.partition_count(); ++p) {
    racks.clear();
    for (const std::uint32_t rack : view.partition_racks(p)) {
      if (number_[rack] != no_rack) racks.push_back(number_[rack]);
    }
    std::ranges::sort(racks);
    racks.erase(std::ranges::unique(racks).begin(), racks.end());
    set_of_partition_.push_back(intern(racks));
  }
}

bool ViewRacks::is_everything_everywhere() const {
  return sets_.count() == 1 && sets_[0].size() == count_ &&
         std::ranges::find(of_member_, no_rack) == of_member_.end();
}

}  // namespace muster::racks
