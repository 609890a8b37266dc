// Uniform assignment with an eye on racks: what is asked of racks::Placement. Any thread.
#include <algorithm>
#include <vector>

#include <racks/placement.hpp>

#include "subscribers.hpp"
#include "uniform.hpp"

namespace muster::uniform {
namespace {

bool is_nothing_owned(std::span<const std::uint32_t> owners) {
  return std::ranges::all_of(owners, [](std::uint32_t owner) { return owner == MUSTER_NONE; });
}

// The partitions of all topics that the same members want.
class Share {
 public:
  Share(const sdk::PartitionView& view, racks::ViewRacks& racks)
      : view_(view), racks_(racks), place_(view.member_count(), racks::nobody) {}

  void add_topic(std::uint32_t topic) {
    for (std::uint32_t p = view_.topic_first()[topic]; p < view_.topic_first()[topic + 1]; ++p) {
      partitions_.push_back(p);
    }
  }
  // Chooses among those that own these partitions, and starts anew.
  void rearrange(std::span<std::uint32_t> owner);

 private:
  void find_members(std::span<const std::uint32_t> owner);
  void find_holders();

  const sdk::PartitionView& view_;
  racks::ViewRacks& racks_;
  std::vector<std::uint32_t> partitions_;
  std::vector<std::uint32_t> members_;  // that own any of them, in member order
  std::vector<std::uint32_t> place_;    // by member: its place in members_
  std::vector<std::uint32_t> quota_, rack_of_, set_of_, held_by_, chosen_;
  racks::Placement placement_;
};

void Share::find_members(std::span<const std::uint32_t> owner) {
  members_.clear();
  for (const std::uint32_t p : partitions_) members_.push_back(owner[p]);
  std::ranges::sort(members_);
  members_.erase(std::ranges::unique(members_).begin(), members_.end());
  quota_.assign(members_.size(), 0);
  rack_of_.clear();
  for (std::uint32_t i = 0; i < members_.size(); ++i) {
    place_[members_[i]] = i;
    rack_of_.push_back(racks_.of_member()[members_[i]]);
  }
  for (const std::uint32_t p : partitions_) ++quota_[place_[owner[p]]];
}

void Share::find_holders() {
  set_of_.clear();
  held_by_.clear();
  for (const std::uint32_t p : partitions_) {
    set_of_.push_back(racks_.set_of_partition()[p]);
    const std::uint32_t holder = view_.current_owner()[p];
    held_by_.push_back(holder < view_.member_count() ? place_[holder] : racks::nobody);
  }
}

void Share::rearrange(std::span<std::uint32_t> owner) {
  find_members(owner);
  find_holders();
  chosen_.resize(partitions_.size());
  placement_.run({racks_.sets(), racks_.count(), set_of_, held_by_, rack_of_, quota_}, chosen_);
  for (std::size_t i = 0; i < partitions_.size(); ++i) owner[partitions_[i]] = members_[chosen_[i]];
  for (const std::uint32_t member : members_) place_[member] = racks::nobody;
  partitions_.clear();
}

}  // namespace

void assign_homogeneous(const sdk::PartitionView& view, racks::ViewRacks& racks,
                        std::span<std::uint32_t> owner) {
  const std::uint32_t members = view.member_count();
  const auto current = view.current_owner();
  std::vector<std::uint32_t> held_by;
  if (!is_nothing_owned(current)) {
    held_by.assign(current.begin(), current.end());
    for (std::uint32_t& holder : held_by) holder = holder < members ? holder : racks::nobody;
  }
  const std::vector<std::uint32_t> quota(members, view.partition_count() / members);
  racks::Placement placement;
  placement.run({racks.sets(), racks.count(), racks.set_of_partition(), held_by, racks.of_member(),
                 quota, view.partition_count() % members},
                owner);
}

void rearrange_by_racks(const sdk::PartitionView& view, racks::ViewRacks& racks,
                        std::span<std::uint32_t> owner) {
  const Subscribers subscribers(view);
  std::vector<std::vector<std::uint32_t>> topics_of(subscribers.list_count());
  for (std::uint32_t topic = 0; topic < view.topic_count(); ++topic) {
    topics_of[subscribers.list_of(topic)].push_back(topic);
  }
  Share share(view, racks);
  for (std::uint32_t list = 0; list < topics_of.size(); ++list) {
    if (subscribers.list(list).empty()) continue;
    for (const std::uint32_t topic : topics_of[list]) share.add_topic(topic);
    share.rearrange(owner);
  }
}

}  // namespace muster::uniform
