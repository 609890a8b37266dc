// The metadata snapshot: topics by name, by id, in name order. Constant and valid during the slot
// that got it (or while an AcquiredMetadata lives). Any thread.
#pragma once

#include <muster/abi/group_protocol.h>
#include <muster/abi/host.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include <muster/sdk/types.hpp>

namespace muster::sdk {

class Topic {
 public:
  explicit Topic(const muster_topic* topic) : topic_(topic) {}

  std::string_view name() const { return to_view(topic_->name); }
  Uuid id() const { return to_uuid(topic_->id); }
  std::uint32_t partition_count() const { return topic_->partition_count; }
  bool internal() const { return topic_->internal != 0; }
  std::uint64_t hash() const { return member_or(*topic_, &muster_topic::hash); }

  // Sorted and distinct.
  Strings racks(std::uint32_t partition) const {
    const auto* offsets = member_or(*topic_, &muster_topic::rack_offsets);
    const auto* racks = member_or(*topic_, &muster_topic::racks);
    if (offsets == nullptr || racks == nullptr || partition >= topic_->partition_count) return {};
    return {racks + offsets[partition], offsets[partition + 1] - offsets[partition]};
  }

 private:
  const muster_topic* topic_;
};

class Metadata {
 public:
  explicit Metadata(const muster_metadata_view* view) : view_(view) {}

  std::uint64_t version() const { return view_->version; }
  std::uint32_t size() const { return view_->topic_count; }

  std::optional<Topic> by_name(std::string_view name) const {
    return found(offered(view_, &muster_metadata_view::by_name)(view_->self, to_str(name)));
  }
  std::optional<Topic> by_id(const Uuid& id) const {
    const muster_uuid raw = to_uuid(id);
    return found(offered(view_, &muster_metadata_view::by_id)(view_->self, &raw));
  }
  // Ascending by name.
  Topic at(std::uint32_t index) const {
    const auto* topic = offered(view_, &muster_metadata_view::at)(view_->self, index);
    if (topic == nullptr) throw Failure(MUSTER_INTERNAL, "no topic at this index");
    return Topic{topic};
  }

 private:
  static std::optional<Topic> found(const muster_topic* topic) {
    if (topic == nullptr) return std::nullopt;
    return Topic{topic};
  }

  const muster_metadata_view* view_;
};

// A snapshot taken from the metadata service, given back at the end of its life.
class AcquiredMetadata {
 public:
  explicit AcquiredMetadata(const muster_metadata_v1* service)
      : service_(service),
        release_(offered(service, &muster_metadata_v1::release)),
        view_(offered(service, &muster_metadata_v1::acquire)(service->self)) {
    if (view_ == nullptr) throw Failure(MUSTER_UNAVAILABLE, "no metadata yet");
  }
  AcquiredMetadata(const AcquiredMetadata&) = delete;
  AcquiredMetadata& operator=(const AcquiredMetadata&) = delete;
  ~AcquiredMetadata() { release_(service_->self, view_); }

  Metadata operator*() const { return Metadata{view_}; }

 private:
  const muster_metadata_v1* service_;
  void (*release_)(void*, const muster_metadata_view*);
  const muster_metadata_view* view_;
};

enum class Change : std::int32_t {
  created = MUSTER_TOPIC_CREATED,
  changed = MUSTER_TOPIC_CHANGED,
  deleted = MUSTER_TOPIC_DELETED,
};

struct TopicChange {
  std::string_view name;
  Uuid id;
  Change what;
};

inline TopicChange to_topic_change(muster_topic_change change) {
  return {to_view(change.name), to_uuid(change.id), static_cast<Change>(change.what)};
}

using TopicChanges = Array<muster_topic_change, TopicChange, to_topic_change>;

}  // namespace muster::sdk
