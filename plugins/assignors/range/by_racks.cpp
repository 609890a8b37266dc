// Finds what is co-partitioned and asks racks::Placement. Any thread.
#include "by_racks.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <racks/placement.hpp>

namespace muster::range {
namespace {

using Topics = std::vector<std::uint32_t>;

// To tell equal runs of numbers by.
std::string_view bytes_of(std::span<const std::uint32_t> numbers) {
  const auto bytes = std::as_bytes(numbers);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class Arrangement {
 public:
  Arrangement(const sdk::PartitionView& view, std::span<std::uint32_t> owner)
      : racks_(view), first_(view.topic_first()), owner_(owner) {}

  bool racks_matter() const { return racks_.matter(); }
  // Topics that have the same owners.
  std::vector<Topics> co_partitioned() const;
  // Gives them the same owners again, those that are best for their sum.
  void rearrange_together(const Topics& topics);
  // Then gives each those that are best for itself, as close to the common ones as that allows.
  void rearrange_each(const Topics& topics);

 private:
  std::span<std::uint32_t> owners_of(std::uint32_t topic) const {
    return owner_.subspan(first_[topic], first_[topic + 1] - first_[topic]);
  }
  std::span<const std::uint32_t> sets_of(std::uint32_t topic) const {
    return racks_.set_of_partition().subspan(first_[topic], first_[topic + 1] - first_[topic]);
  }
  std::uint32_t topic_count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  bool is_owned(std::uint32_t topic) const {
    return first_[topic] < first_[topic + 1] && owner_[first_[topic]] != MUSTER_NONE;
  }
  void find_members(std::span<const std::uint32_t> owners);
  void weigh(const Topics& topics);
  void place(std::span<const std::uint32_t> sets);
  void give(std::uint32_t topic);

  racks::ViewRacks racks_;
  const sdk::PartitionView::Indexes first_;
  const std::span<std::uint32_t> owner_;
  std::vector<std::uint32_t> members_;  // that own some of the topics at hand, in range order
  std::vector<std::uint32_t> quota_, rack_of_, held_by_, set_of_, chosen_, sums_;
  racks::Placement placement_;
};

std::vector<Topics> Arrangement::co_partitioned() const {
  std::vector<Topics> sets;
  std::unordered_map<std::string_view, std::size_t> known;
  for (std::uint32_t topic = 0; topic < topic_count(); ++topic) {
    if (!is_owned(topic)) continue;
    const auto [at, is_new] = known.try_emplace(bytes_of(owners_of(topic)), sets.size());
    if (is_new) sets.emplace_back();
    sets[at->second].push_back(topic);
  }
  return sets;
}

void Arrangement::find_members(std::span<const std::uint32_t> owners) {
  members_.clear();
  quota_.clear();
  rack_of_.clear();
  held_by_.clear();
  for (const std::uint32_t owner : owners) {
    if (members_.empty() || members_.back() != owner) {
      members_.push_back(owner);
      quota_.push_back(0);
      rack_of_.push_back(racks_.of_member()[owner]);
    }
    ++quota_.back();
    held_by_.push_back(static_cast<std::uint32_t>(members_.size() - 1));
  }
}

// A number is worth in each rack how many of the topics have a replica of it there.
void Arrangement::weigh(const Topics& topics) {
  const std::span<const std::uint32_t> first = sets_of(topics[0]);
  set_of_.assign(first.begin(), first.end());
  const bool alike = std::ranges::all_of(
      topics, [&](std::uint32_t topic) { return std::ranges::equal(sets_of(topic), first); });
  if (alike) return;
  const std::uint32_t racks = racks_.count();
  sums_.assign(first.size() * racks, 0);
  for (const std::uint32_t topic : topics) {
    std::uint32_t* sums = sums_.data();
    for (const std::uint32_t set : sets_of(topic)) {
      for (const racks::Weight& one : racks_.sets()[set]) sums[one.rack] += one.weight;
      sums += racks;
    }
  }
  std::vector<racks::Weight> weights;
  for (std::size_t number = 0; number < first.size(); ++number) {
    weights.clear();
    for (std::uint32_t rack = 0; rack < racks; ++rack) {
      const std::uint32_t sum = sums_[number * racks + rack];
      if (sum > 0) weights.push_back({rack, sum});
    }
    set_of_[number] = racks_.sets().intern(weights);
  }
}

void Arrangement::place(std::span<const std::uint32_t> sets) {
  chosen_.resize(sets.size());
  placement_.run({racks_.sets(), racks_.count(), sets, held_by_, rack_of_, quota_}, chosen_);
}

void Arrangement::give(std::uint32_t topic) {
  std::ranges::transform(chosen_, owners_of(topic).begin(),
                         [&](std::uint32_t place) { return members_[place]; });
}

void Arrangement::rearrange_together(const Topics& topics) {
  find_members(owners_of(topics[0]));
  weigh(topics);
  place(set_of_);
  for (const std::uint32_t topic : topics) give(topic);
}

void Arrangement::rearrange_each(const Topics& topics) {
  if (topics.size() == 1) return;
  held_by_ = chosen_;
  // Topics with the same racks, number by number, get the same owners.
  std::unordered_map<std::string_view, std::uint32_t> known;
  for (const std::uint32_t topic : topics) {
    const auto [at, is_new] = known.try_emplace(bytes_of(sets_of(topic)), topic);
    if (is_new) {
      place(sets_of(topic));
      give(topic);
    } else {
      std::ranges::copy(owners_of(at->second), owners_of(topic).begin());
    }
  }
}

}  // namespace

void rearrange_by_racks(const sdk::PartitionView& view, bool keep_co_partitioned,
                        std::span<std::uint32_t> owner) {
  Arrangement arrangement(view, owner);
  if (!arrangement.racks_matter()) return;
  for (const Topics& topics : arrangement.co_partitioned()) {
    arrangement.rearrange_together(topics);
    if (!keep_co_partitioned) arrangement.rearrange_each(topics);
  }
}

}  // namespace muster::range
