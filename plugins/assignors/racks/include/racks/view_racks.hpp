// The racks of a view as far as they matter: those that have both a member and a replica. Built
// once a run, then constant but for further weight sets; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <muster/sdk/partition_assignor.hpp>

#include <racks/weight_sets.hpp>

namespace muster::racks {

inline constexpr std::uint32_t no_rack = UINT32_MAX;

class ViewRacks {
 public:
  explicit ViewRacks(const sdk::PartitionView& view);

  // Whether who gets what makes a difference: not where no rack has both a member and a replica,
  // and not where every rack that has a member has a replica of everything.
  bool matter() const { return matter_; }

  std::uint32_t count() const { return count_; }
  // By member; no_rack for one without a rack or in a rack without a replica.
  std::span<const std::uint32_t> of_member() const { return of_member_; }
  // By partition: its racks as one of sets(), each of weight 1.
  std::span<const std::uint32_t> set_of_partition() const { return set_of_partition_; }
  WeightSets& sets() { return sets_; }

 private:
  void number_racks(const sdk::PartitionView& view);
  void gather_by_mask(const sdk::PartitionView& view);
  void gather_by_list(const sdk::PartitionView& view);
  std::uint32_t intern(std::span<const std::uint32_t> racks);
  bool is_everything_everywhere() const;

  std::uint32_t count_ = 0;
  bool matter_ = false;
  std::vector<std::uint32_t> number_;  // by rack of the view
  std::vector<std::uint32_t> of_member_;
  std::vector<std::uint32_t> set_of_partition_;
  std::vector<Weight> scratch_;
  WeightSets sets_;
};

}  // namespace muster::racks
