#include "runtime/metadata.hpp"

#include <cstring>

namespace muster::host {

TopicInfo::TopicInfo(const muster_topic& source)
    : name_(from_abi(source.name)), rack_offsets_(source.partition_count + 1, 0) {
  if (source.rack_offsets != nullptr) {
    std::copy_n(source.rack_offsets, source.partition_count + 1, rack_offsets_.begin());
  }
  const std::uint32_t racks = rack_offsets_.back();
  rack_names_.reserve(racks);
  for (std::uint32_t i = 0; i < racks; ++i) rack_names_.emplace_back(from_abi(source.racks[i]));
  for (const auto& rack : rack_names_) racks_.push_back(to_abi(std::string_view(rack)));
  view_ = source;
  view_.struct_size = sizeof(muster_topic);
  view_.name = to_abi(std::string_view(name_));
  view_.rack_offsets = rack_offsets_.data();
  view_.racks = racks_.data();
  view_.hash = topic_hash(view_);
}

std::size_t MetadataSnapshot::IdHash::operator()(const muster_uuid& id) const {
  std::size_t hash;
  std::memcpy(&hash, id.bytes + 8, sizeof hash);  // ids are random: any eight bytes will do
  return hash;
}

bool MetadataSnapshot::IdEqual::operator()(const muster_uuid& a, const muster_uuid& b) const {
  return std::memcmp(a.bytes, b.bytes, sizeof a.bytes) == 0;
}

MetadataSnapshot::MetadataSnapshot(Topics topics, std::uint64_t version)
    : topics_(std::move(topics)) {
  ordered_.reserve(topics_.size());
  for (const auto& [name, topic] : topics_) {
    ordered_.push_back(&topic->view());
    names_.emplace(name, &topic->view());
    ids_.emplace(topic->view().id, &topic->view());
  }
  view_.struct_size = sizeof view_;
  view_.self = this;
  view_.version = version;
  view_.topic_count = static_cast<std::uint32_t>(ordered_.size());
  view_.by_name = [](void* self, muster_str name) {
    return static_cast<MetadataSnapshot*>(self)->by_name(from_abi(name));
  };
  view_.by_id = [](void* self, const muster_uuid* id) -> const muster_topic* {
    const auto& ids = static_cast<MetadataSnapshot*>(self)->ids_;
    const auto found = ids.find(*id);
    return found == ids.end() ? nullptr : found->second;
  };
  view_.at = [](void* self, std::uint32_t index) -> const muster_topic* {
    const auto& ordered = static_cast<MetadataSnapshot*>(self)->ordered_;
    return index < ordered.size() ? ordered[index] : nullptr;
  };
}

const muster_topic* MetadataSnapshot::by_name(std::string_view name) const {
  const auto found = names_.find(name);
  return found == names_.end() ? nullptr : found->second;
}

Metadata::Metadata() : current_(std::make_shared<MetadataSnapshot>(MetadataSnapshot::Topics{}, 0)) {
  events_.struct_size = sizeof events_;
  events_.self = this;
  events_.changed = [](void* self, const muster_topic* const* topics,
                       const muster_topic_change* changes, std::uint32_t count) {
    static_cast<Metadata*>(self)->apply(topics, changes, count);
  };
  service_.struct_size = sizeof service_;
  service_.self = this;
  service_.acquire = [](void* self) -> const muster_metadata_view* {
    auto& metadata = *static_cast<Metadata*>(self);
    SnapshotPtr snapshot = metadata.current();
    const auto* view = snapshot->view();
    const std::lock_guard lock(metadata.held_mutex_);
    auto& [held, count] = metadata.held_[view];
    held = std::move(snapshot);
    ++count;
    return view;
  };
  service_.release = [](void* self, const muster_metadata_view* view) {
    auto& metadata = *static_cast<Metadata*>(self);
    const std::lock_guard lock(metadata.held_mutex_);
    const auto found = metadata.held_.find(view);
    if (found != metadata.held_.end() && --found->second.second == 0) metadata.held_.erase(found);
  };
}

SnapshotPtr Metadata::current() const {
  const std::lock_guard lock(mutex_);
  return current_;
}

void Metadata::apply(const muster_topic* const* topics, const muster_topic_change* changes,
                     std::uint32_t count) {
  const std::lock_guard one_at_a_time(applying_);
  MetadataSnapshot::Topics next = current()->topics();
  auto change = std::make_shared<MetadataChange>();
  change->names.reserve(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string_view name = from_abi(changes[i].name);
    // The map's key lives in the old value, so a changed topic is taken out before the new one goes
    // in.
    next.erase(name);
    if (changes[i].what != MUSTER_TOPIC_DELETED) {
      auto info = std::make_shared<const TopicInfo>(*topics[i]);
      next.emplace(info->name(), info);
    }
    const auto& kept = change->names.emplace_back(name);
    change->changes.push_back({to_abi(std::string_view(kept)), changes[i].id, changes[i].what});
  }
  change->snapshot = std::make_shared<MetadataSnapshot>(std::move(next), ++version_);
  {
    const std::lock_guard lock(mutex_);
    current_ = change->snapshot;
  }
  if (listener_ && count != 0) listener_(std::move(change));
}

}  // namespace muster::host
