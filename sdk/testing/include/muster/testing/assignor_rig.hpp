// Drives a partition assignor through its C table, as the host does, and checks what it gives.
// Tests only; one thread.
#pragma once

#include <muster/abi/partition_assignor.h>
#include <muster/abi/plugin.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <muster/testing/rig_host.hpp>
#include <muster/testing/rig_sinks.hpp>

namespace muster::testing {

// What one run gave. `problem` is empty exactly if a host would take it.
struct Assigned {
  muster_code code = MUSTER_OK;
  std::string error;                 // what the assignor said when it failed
  std::vector<std::uint32_t> owner;  // by partition: member index, or MUSTER_NONE
  std::string problem;

  // The partitions of a member, ascending.
  std::vector<std::uint32_t> of(std::uint32_t member) const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t partition = 0; partition < owner.size(); ++partition) {
      if (owner[partition] == member) out.push_back(partition);
    }
    return out;
  }
};

inline bool subscribes(const muster_partition_assignor_view& view, std::uint32_t member,
                       std::uint32_t topic) {
  const std::uint32_t* first = view.subscription_first + view.member_subscription[member];
  const std::uint32_t* topics = view.subscription_topics;
  return std::binary_search(topics + first[0], topics + first[1], topic);
}

// How many partitions that had an owner got another one.
inline std::uint32_t moved(const muster_partition_assignor_view& view, const Assigned& assigned) {
  std::uint32_t count = 0;
  for (std::size_t partition = 0; partition < assigned.owner.size(); ++partition) {
    const std::uint32_t before = view.current_owner[partition];
    if (before != MUSTER_NONE && before != assigned.owner[partition]) ++count;
  }
  return count;
}

// Between the member with the most partitions and the one with the fewest.
inline std::uint32_t spread(const muster_partition_assignor_view& view, const Assigned& assigned) {
  if (view.member_count == 0) return 0;
  std::vector<std::uint32_t> load(view.member_count);
  for (const std::uint32_t member : assigned.owner) {
    if (member != MUSTER_NONE) ++load.at(member);
  }
  const auto [least, most] = std::minmax_element(load.begin(), load.end());
  return *most - *least;
}

// The host's sink: keeps the owners and the first broken promise.
class OwnerCollector {
 public:
  OwnerCollector(const muster_partition_assignor_view& view, Assigned* out)
      : view_(view), out_(out) {
    out_->owner.assign(view.topic_count == 0 ? 0 : view.topic_first[view.topic_count], MUSTER_NONE);
  }
  OwnerCollector(const OwnerCollector&) = delete;
  OwnerCollector& operator=(const OwnerCollector&) = delete;

  const muster_partition_sink* table() const { return &table_; }

  void require_complete() {
    for (std::uint32_t topic = 0; topic < view_.topic_count; ++topic) {
      for (std::uint32_t p = view_.topic_first[topic]; p < view_.topic_first[topic + 1]; ++p) {
        check(p, topic);
      }
    }
  }

 private:
  static void assign(void* self, std::uint32_t first, std::uint32_t count,
                     const std::uint32_t* members) {
    auto& sink = *static_cast<OwnerCollector*>(self);
    for (std::uint32_t i = 0; i < count; ++i) sink.take(std::uint64_t{first} + i, members[i]);
  }
  void take(std::uint64_t partition, std::uint32_t member) {
    if (partition >= out_->owner.size()) return complain(partition, "does not exist");
    if (member >= view_.member_count) return complain(partition, "is given to nobody");
    if (out_->owner[partition] != MUSTER_NONE) complain(partition, "is given twice");
    out_->owner[partition] = member;
  }
  void check(std::uint32_t partition, std::uint32_t topic) {
    const std::uint32_t member = out_->owner[partition];
    if (member == MUSTER_NONE) return complain(partition, "has no owner");
    if (!subscribes(view_, member, topic)) complain(partition, "went to a non-subscriber");
  }
  void complain(std::uint64_t partition, std::string_view what) {
    if (!out_->problem.empty()) return;
    out_->problem = "partition " + std::to_string(partition) + " " + std::string{what};
  }

  const muster_partition_assignor_view& view_;
  Assigned* out_;
  muster_partition_sink table_{sizeof table_, this, &assign};
};

class AssignorRig {
 public:
  // `which`: the export's name, or nothing for the first partition assignor of the plugin.
  explicit AssignorRig(const muster_plugin* plugin, std::string_view which = {})
      : export_(find(plugin, which)), options(export_) {}
  AssignorRig(const AssignorRig&) = delete;
  AssignorRig& operator=(const AssignorRig&) = delete;
  ~AssignorRig() {
    if (instance_ != nullptr) table().destroy(instance_);
  }

  Assigned assign(const muster_partition_assignor_view& view) {
    create();
    Assigned out;
    OwnerCollector sink(view, &out);
    ErrorText error;
    out.code = table().assign(instance_, &view, sink.table(), error.table());
    out.error = error.text;
    if (out.code == MUSTER_OK) {
      sink.require_complete();
    } else {
      out.problem = "failed with code " + std::to_string(out.code) + ": " + out.error;
    }
    return out;
  }

 private:
  static const muster_export& find(const muster_plugin* plugin, std::string_view which) {
    for (std::uint32_t i = 0; plugin != nullptr && i < plugin->export_count; ++i) {
      const muster_export& at = plugin->exports[i];
      if (std::string_view{at.interface_id} != MUSTER_IFACE_PARTITION_ASSIGNOR) continue;
      if (which.empty() || which == at.name) return at;
    }
    throw std::logic_error("the plugin has no such partition assignor");
  }
  const muster_partition_assignor_v1& table() const {
    return *static_cast<const muster_partition_assignor_v1*>(export_.table);
  }
  // At the first assign, so that a test can set options before.
  void create() {
    if (instance_ != nullptr) return;
    ErrorText error;
    instance_ = table().create(host.table(), options.table(), error.table());
    if (instance_ == nullptr) throw std::logic_error("create failed: " + error.text);
  }

  const muster_export& export_;
  FakeMetadata metadata_;
  void* instance_ = nullptr;

 public:
  RigHost host{&metadata_};
  RigOptions options;
};

}  // namespace muster::testing
