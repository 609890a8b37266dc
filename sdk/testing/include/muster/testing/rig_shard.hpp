// The shard of a ProtocolRig: clock, metadata, the directory of group owners, and what is stored.
// Tests only; one thread.
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <muster/testing/fake_decision.hpp>
#include <muster/testing/fake_metadata.hpp>
#include <muster/testing/fake_owner.hpp>
#include <muster/testing/rig_host.hpp>

namespace muster::testing {

// The group id in a key: every key starts with its type and its group.
inline std::optional<std::string> group_of(const Buffer& key) {
  if (key.size() < 4) return std::nullopt;
  const std::size_t size = static_cast<std::size_t>(key[2] << 8 | key[3]);
  if (key.size() < 4 + size) return std::nullopt;
  return std::string{key.begin() + 4, key.begin() + 4 + static_cast<std::ptrdiff_t>(size)};
}

inline std::optional<std::int16_t> type_of(const Buffer& key) {
  if (key.size() < 2) return std::nullopt;
  return static_cast<std::int16_t>(key[0] << 8 | key[1]);
}

class RigShard {
 public:
  struct Owner {
    std::string name;
    const muster_group_facet_v1* facet = nullptr;  // none: owned by `unknown`
    void* shard = nullptr;
  };

  RigShard(RigHost* host, FakeMetadata* metadata) : host_(host), metadata_(metadata) {}
  RigShard(const RigShard&) = delete;
  RigShard& operator=(const RigShard&) = delete;

  std::map<std::string, Owner, std::less<>> owners;
  Owner self;  // what the directory says of the protocol under test
  std::map<Buffer, std::pair<std::uint64_t, Buffer>> stored;  // key -> sequence, value
  std::uint64_t sequence = 0;

  const muster_shard* table() const { return &shard_; }
  const muster_directory* directory() const { return &directory_; }
  void set_place(std::uint32_t shard, std::uint32_t count) {
    shard_.shard = shard;
    shard_.shard_count = count;
  }

  // From here to end_slot find_group hands out decisions that write into `outcome`.
  void begin_slot(Outcome* outcome) { outcome_ = outcome; }
  void end_slot() {
    outcome_ = nullptr;
    decisions_.clear();
  }
  const muster_decision* decision_of(const std::string& emitter) {
    if (outcome_ == nullptr) return nullptr;
    auto& decision = decisions_[emitter];
    if (!decision) decision = std::make_unique<FakeDecision>(emitter, outcome_);
    return decision->table();
  }

  void keep(const Buffer& key, const std::optional<Buffer>& value) {
    ++sequence;
    if (value) {
      stored[key] = {sequence, *value};
    } else {
      stored.erase(key);
    }
  }

 private:
  static RigShard& of(void* shard) { return *static_cast<RigShard*>(shard); }

  static std::int64_t now_ms(void* self) { return of(self).host_->now_ms; }
  static const muster_metadata_view* metadata(void* self) { return of(self).metadata_->view(); }

  void fill(const Owner& owner, muster_group_owner* out) {
    const std::uint32_t size = out->struct_size == 0 ? sizeof *out : out->struct_size;
    *out = {size, to_str(owner.name), owner.facet, owner.shard, decision_of(owner.name)};
  }
  static muster_code find_group(void* self, muster_str group, muster_group_owner* out) {
    const auto found = of(self).owners.find(std::string_view{group.data, group.size});
    if (found == of(self).owners.end()) return MUSTER_UNAVAILABLE;
    of(self).fill(found->second, out);
    return MUSTER_OK;
  }
  static void each_group(void* self, void* arg,
                         void (*visit)(void* arg, muster_str group, const muster_group_owner*)) {
    for (const auto& [group, owner] : of(self).owners) {
      muster_group_owner out{};
      of(self).fill(owner, &out);
      visit(arg, to_str(group), &out);
    }
  }

  static muster_code own(void* self, muster_str group) {
    const auto [at, added] = of(self).owners.try_emplace(copy_of(group), of(self).self);
    return added || at->second.name == of(self).self.name ? MUSTER_OK : MUSTER_INVALID_ARGUMENT;
  }
  static void disown(void* self, muster_str group) {
    const auto found = of(self).owners.find(std::string_view{group.data, group.size});
    if (found == of(self).owners.end() || found->second.name != of(self).self.name) return;
    of(self).owners.erase(found);
  }

  RigHost* host_;
  FakeMetadata* metadata_;
  Outcome* outcome_ = nullptr;
  std::map<std::string, std::unique_ptr<FakeDecision>> decisions_;
  muster_shard shard_{sizeof shard_, this, 0, 1, &now_ms, &metadata, &find_group, &each_group};
  muster_directory directory_{sizeof directory_, this, &own, &disown};
};

}  // namespace muster::testing
