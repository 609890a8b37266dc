#include "runtime/assignor_input.hpp"

#include <algorithm>
#include <cstring>

namespace muster::host {
namespace {

constexpr std::size_t aligned(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

std::size_t text_bytes(const muster_str* texts, std::size_t count) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < count; ++i) total += texts[i].size;
  return aligned(total) + aligned(count * sizeof(muster_str));
}

struct Sizes {
  std::size_t topics, partitions, members, subscriptions, subscription_topics, racks, rack_entries;

  explicit Sizes(const muster_partition_assignor_view& view)
      : topics(view.topic_count),
        partitions(view.topic_first[view.topic_count]),
        members(view.member_count),
        subscriptions(view.subscription_count),
        subscription_topics(view.subscription_first[view.subscription_count]),
        racks(view.rack_count),
        rack_entries(view.partition_rack_first[partitions]) {}

  std::size_t memory(const muster_partition_assignor_view& view) const {
    const auto ints = [](std::size_t count) { return aligned(count * sizeof(std::uint32_t)); };
    return text_bytes(view.topic_names, topics) + aligned(topics * sizeof(muster_uuid)) +
           ints(topics + 1) + text_bytes(view.member_ids, members) +
           text_bytes(view.instance_ids, members) + 3 * ints(members) + ints(subscriptions + 1) +
           ints(subscription_topics) + 2 * ints(partitions + 1) + ints(rack_entries) +
           text_bytes(view.racks, racks) + text_bytes(&view.group_id, 1);
  }
};

}  // namespace

void* AssignorInput::place(const void* source, std::size_t bytes) {
  void* const at = memory_.get() + used_;
  if (bytes != 0) std::memcpy(at, source, bytes);
  used_ += aligned(bytes);
  return at;
}

template <class T>
const T* AssignorInput::copy(const T* source, std::size_t count) {
  return static_cast<const T*>(place(source, count * sizeof(T)));
}

const muster_str* AssignorInput::copy_strings(const muster_str* source, std::size_t count) {
  auto* const texts = static_cast<muster_str*>(place(source, count * sizeof(muster_str)));
  char* at = reinterpret_cast<char*>(memory_.get() + used_);
  const char* const start = at;
  for (std::size_t i = 0; i < count; ++i) {
    if (texts[i].data == nullptr) continue;
    std::memcpy(at, texts[i].data, texts[i].size);
    texts[i].data = at;
    at += texts[i].size;
  }
  used_ += aligned(static_cast<std::size_t>(at - start));
  return texts;
}

AssignorInput::AssignorInput(const muster_partition_assignor_view& given) : view_{} {
  // Of an older plugin's view the tail is not there.
  muster_partition_assignor_view source{};
  std::memcpy(&source, &given, std::min<std::size_t>(given.struct_size, sizeof source));
  view_ = source;
  const Sizes sizes(source);
  memory_ = std::make_unique_for_overwrite<std::uint8_t[]>(sizes.memory(source) + 8);
  view_.struct_size = sizeof view_;
  view_.topic_names = copy_strings(source.topic_names, sizes.topics);
  view_.topic_ids = copy(source.topic_ids, sizes.topics);
  view_.topic_first = copy(source.topic_first, sizes.topics + 1);
  view_.member_ids = copy_strings(source.member_ids, sizes.members);
  view_.instance_ids = copy_strings(source.instance_ids, sizes.members);
  view_.instance_rank = copy(source.instance_rank, sizes.members);
  view_.member_racks = copy(source.member_racks, sizes.members);
  view_.member_subscription = copy(source.member_subscription, sizes.members);
  view_.subscription_first = copy(source.subscription_first, sizes.subscriptions + 1);
  view_.subscription_topics = copy(source.subscription_topics, sizes.subscription_topics);
  view_.current_owner = copy(source.current_owner, sizes.partitions);
  view_.racks = copy_strings(source.racks, sizes.racks);
  view_.partition_rack_first = copy(source.partition_rack_first, sizes.partitions + 1);
  view_.partition_racks = copy(source.partition_racks, sizes.rack_entries);
  view_.group_id = *copy_strings(&source.group_id, 1);
}

std::optional<std::string> check_assignment(const muster_partition_assignor_view& view,
                                            const std::vector<std::uint32_t>& owner) {
  // Subscribes by (subscription, topic): a bit each, so that the check costs one look-up a
  // partition.
  const std::size_t topics = view.topic_count;
  std::vector<bool> subscribed(std::size_t{view.subscription_count} * topics);
  std::vector<bool> used(view.subscription_count);
  for (std::uint32_t m = 0; m < view.member_count; ++m) used[view.member_subscription[m]] = true;
  std::vector<bool> wanted(topics);
  for (std::uint32_t s = 0; s < view.subscription_count; ++s) {
    for (auto i = view.subscription_first[s]; i < view.subscription_first[s + 1]; ++i) {
      const std::uint32_t topic = view.subscription_topics[i];
      subscribed[s * topics + topic] = true;
      if (used[s]) wanted[topic] = true;
    }
  }
  const auto name = [&](std::uint32_t topic, std::uint32_t partition) {
    return std::string(from_abi(view.topic_names[topic])) + "-" +
           std::to_string(partition - view.topic_first[topic]);
  };
  for (std::uint32_t t = 0; t < view.topic_count; ++t) {
    for (std::uint32_t p = view.topic_first[t]; p < view.topic_first[t + 1]; ++p) {
      const std::uint32_t member = owner[p];
      if (member == MUSTER_NONE) {
        if (wanted[t]) return name(t, p) + " has subscribers but no owner";
        continue;
      }
      if (member >= view.member_count) {
        return name(t, p) + " was given to member " + std::to_string(member) + " of " +
               std::to_string(view.member_count);
      }
      if (!subscribed[view.member_subscription[member] * topics + t]) {
        return name(t, p) + " was given to '" + std::string(from_abi(view.member_ids[member])) +
               "', which does not subscribe to it";
      }
    }
  }
  return std::nullopt;
}

}  // namespace muster::host
