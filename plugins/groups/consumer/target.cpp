// The group's target assignment. [shard]
#include "target.hpp"

#include <muster/abi/partition_assignor.h>

#include <algorithm>
#include <vector>

#include "run_lost.hpp"

namespace muster::consumer {
namespace {

using Votes = std::vector<std::int32_t>;

Votes count_votes(const Settings& settings, const Group& group) {
  Votes votes(settings.assignors().size());
  for (const auto& [name, members] : group.server_assignors()) {
    if (const auto assignor = settings.find_assignor(name)) votes[*assignor] += members;
  }
  return votes;
}

std::size_t winner(const Votes& votes) {
  return static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin());
}

void vote(const Settings& settings, const MemberMetadata& metadata, std::int32_t by, Votes& votes) {
  if (!metadata.server_assignor) return;
  if (const auto assignor = settings.find_assignor(*metadata.server_assignor)) {
    votes[*assignor] += by;
  }
}

bool interval_has_passed(const Draft& draft) {
  const std::int64_t last =
      std::max(draft.group.assignment_timestamp_ms, draft.notes.assignor_failed_at_ms);
  if (last == 0) return true;
  const std::int64_t interval = draft.context.settings.assignment_interval_ms(draft.group_id);
  return interval == 0 || draft.context.now_ms() >= last + interval;
}

// The partitions of each member, by the numbers of the view.
struct ByMember {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> partitions;

  explicit ByMember(const sdk::PartitionAssignment& result)
      : first(result.input.member_count() + 1), partitions(result.owner.size()) {
    for (const std::uint32_t owner : result.owner) {
      if (owner < result.input.member_count()) ++first[owner + 1];
    }
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t partition = 0; partition < result.owner.size(); ++partition) {
      const std::uint32_t owner = result.owner[partition];
      if (owner < next.size()) partitions[next[owner]++] = partition;
    }
  }
  [[nodiscard]] std::span<const std::uint32_t> of(std::uint32_t member) const {
    return std::span(partitions).subspan(first[member], first[member + 1] - first[member]);
  }
};

class TopicsOf {
 public:
  explicit TopicsOf(const sdk::PartitionView& view) : first_(view.topic_first()) {
    for (std::uint32_t topic = 0; topic < view.topic_count(); ++topic) {
      ids_.push_back(TopicId::of(view.topic_id(topic)));
    }
  }
  // `numbers` ascending; topics are in id order, so the result is in order too.
  [[nodiscard]] Partitions partitions(std::span<const std::uint32_t> numbers) const {
    Partitions out;
    out.reserve(numbers.size());
    auto after = first_.begin();
    for (const std::uint32_t number : numbers) {
      after = std::upper_bound(after, first_.end(), number);
      const auto topic = static_cast<std::size_t>(after - first_.begin()) - 1;
      out.push_back({ids_[topic], static_cast<std::int32_t>(number - first_[topic])});
      --after;
    }
    return out;
  }

 private:
  sdk::PartitionView::Indexes first_;
  std::vector<TopicId> ids_;
};

bool has_member(const sdk::PartitionView& view, std::string_view id) {
  const std::span<const muster_str> ids = view.member_ids().raw();
  return std::ranges::binary_search(ids, id, {}, sdk::to_view);
}

// Who takes the part of a member of the view: itself, or who replaced it. Empty: nobody.
std::string_view heir_of(const Group& group, const sdk::PartitionView& view, std::uint32_t member) {
  const std::string_view id = view.member_ids()[member];
  if (group.find_member(id) != nullptr) return id;
  const auto instance = view.instance_id(member);
  const std::string* heir = instance ? group.static_member(*instance) : nullptr;
  return heir != nullptr && !has_member(view, *heir) ? std::string_view(*heir) : std::string_view();
}

}  // namespace

std::size_t preferred_assignor(const Settings& settings, const Group& group) {
  if (group.server_assignors().empty()) return 0;
  return winner(count_votes(settings, group));
}

std::size_t preferred_assignor_after(const Settings& settings, const Group& group,
                                     const MemberMetadata& before, const MemberMetadata& after) {
  Votes votes = count_votes(settings, group);
  vote(settings, before, -1, votes);
  vote(settings, after, 1, votes);
  return winner(votes);
}

bool ask_for_assignment(Draft& draft, std::size_t assignor) {
  if (draft.group.assignment_epoch >= draft.epoch() || !interval_has_passed(draft)) return false;
  const bool is_running =
      draft.notes.asked_epoch != 0 && !run_is_lost(draft.notes.asked_at_ms, draft.context.now_ms());
  if (is_running) {
    // Its result starts the next interval. Only a group without one wants another right after it.
    const bool at_once = draft.context.settings.assignment_interval_ms(draft.group_id) == 0;
    if (!at_once || draft.notes.asked_epoch >= draft.epoch()) return false;
  }
  draft.notes.asked_epoch = draft.epoch();
  draft.notes.asked_at_ms = draft.context.now_ms();
  draft.offload(Offload::assign, sdk::text(MUSTER_IFACE_PARTITION_ASSIGNOR, ' ',
                                           draft.context.settings.assignors()[assignor]));
  return true;
}

bool is_of_former_group(const Group& group, std::int32_t epoch,
                        const sdk::PartitionAssignment& result) {
  if (epoch < group.epoch) return false;
  for (std::uint32_t member = 0; member < result.input.member_count(); ++member) {
    if (group.find_member(result.input.member_ids()[member]) != nullptr) continue;
    const auto instance = result.input.instance_id(member);
    if (!instance || group.static_member(*instance) == nullptr) return true;
  }
  return false;
}

NewTargets apply_assignment(Draft& draft, std::int32_t epoch,
                            const sdk::PartitionAssignment& result) {
  const Group& group = draft.group;
  const ByMember by_member(result);
  const TopicsOf topics(result.input);
  NewTargets changed;
  for (std::uint32_t member = 0; member < result.input.member_count(); ++member) {
    const std::string_view id = heir_of(group, result.input, member);
    if (id.empty()) continue;
    Partitions target = topics.partitions(by_member.of(member));
    const auto before = group.targets().find(id);
    if (before != group.targets().end() && before->second == target) continue;
    draft.records.target(id, target);
    changed.emplace(id, std::move(target));
  }
  draft.records.target_metadata(epoch, draft.context.now_ms());
  return changed;
}

}  // namespace muster::consumer
