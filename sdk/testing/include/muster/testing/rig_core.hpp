// What is under a ProtocolRig: it loads a shard of the protocol, runs a slot, checks that the slot
// changed nothing, replays what was emitted, keeps records and timers. Tests only; one thread.
#pragma once

#include <muster/abi/plugin.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <muster/testing/rig_shard.hpp>
#include <muster/testing/rig_sinks.hpp>

namespace muster::testing {

class RigCore {
 public:
  // Set options, metadata and stored records as wanted, then open().
  RigCore(const muster_plugin& plugin, std::string_view export_name)
      : options(find_export(plugin, export_name)),
        table_(
            static_cast<const muster_group_protocol_v1*>(find_export(plugin, export_name).table)),
        name_(export_name) {}
  ~RigCore() { close(); }
  RigCore(const RigCore&) = delete;
  RigCore& operator=(const RigCore&) = delete;

  FakeMetadata metadata;
  RigHost host{&metadata};
  RigOptions options;
  RigShard shard{&host, &metadata};
  std::map<std::string, std::int64_t> timers;  // key -> when
  Outcome loaded;                              // what on_loaded did

  // As if the record had been committed before: on open() it is replayed.
  void store(const Buffer& key, const std::optional<Buffer>& value) { shard.keep(key, value); }

  // create, shard_open, replay of what is stored, on_loaded.
  muster_code try_open() {
    ErrorText error;
    self_ = table_->create(host.table(), options.table(), error.table());
    if (self_ == nullptr) throw std::logic_error("create failed: " + error.text);
    return load();
  }
  void open() {
    if (const muster_code code = try_open(); code != MUSTER_OK) {
      throw std::logic_error("load failed with code " + std::to_string(code));
    }
  }
  void close() {
    if (shard_object_ != nullptr) table_->shard_close(std::exchange(shard_object_, nullptr));
    if (self_ != nullptr) table_->destroy(std::exchange(self_, nullptr));
  }
  // Closes the shard and loads it anew.
  void reload() {
    const Buffer before = digest(MUSTER_DIGEST_DURABLE);
    table_->shard_close(std::exchange(shard_object_, nullptr));
    if (load() != MUSTER_OK) throw std::logic_error("the shard does not load again");
    if (loaded.records().empty() && digest(MUSTER_DIGEST_DURABLE) != before) {
      throw std::logic_error("the durable state differs after a reload");
    }
  }

  // A foreign protocol owns the group from here on. It must live as long as slots are called.
  void own(const std::string& group, FakeOwner& owner) {
    shard.owners[group] = {owner.name, owner.facet(), &owner};
  }
  void own_by_unknown(const std::string& group) { shard.owners[group] = {"unknown"}; }
  [[nodiscard]] std::string owner_of(const std::string& group) const {
    const auto found = shard.owners.find(group);
    return found == shard.owners.end() ? "" : found->second.name;
  }

  muster_code replay(bool is_note, const Buffer& key, const std::optional<Buffer>& value) {
    const muster_bytes none{nullptr, 0};
    return table_->replay(shard_object_, shard.sequence,
                          is_note ? MUSTER_REPLAY_NOTE : MUSTER_REPLAY_RECORD, to_bytes(key),
                          value ? to_bytes(*value) : none, shard.directory());
  }
  Buffer digest(std::int32_t part) {
    ByteCollector out;
    if (table_->digest != nullptr) table_->digest(shard_object_, part, out.table());
    return out.bytes;
  }

  const muster_group_protocol_v1* table() const { return table_; }
  void* self() const { return self_; }
  void* shard_object() const { return shard_object_; }

 protected:
  // `slot(decision, error_sink)` calls a slot of the table.
  template <class Slot>
  Outcome run(const std::string& what, Slot&& slot) {
    Outcome outcome;
    ErrorText error;
    const Buffer durable = digest(MUSTER_DIGEST_DURABLE);
    const Buffer noted = digest(MUSTER_DIGEST_NOTED);
    shard.begin_slot(&outcome);
    const muster_code code = slot(shard.decision_of(name_), error.table());
    shard.end_slot();
    if (digest(MUSTER_DIGEST_DURABLE) != durable || digest(MUSTER_DIGEST_NOTED) != noted) {
      throw std::logic_error(what + " changed state");
    }
    if (code != MUSTER_OK) outcome = failed(code, error.text);
    if (outcome.handed_on) {
      outcome = {};
      outcome.handed_on = true;
    }
    apply(outcome);
    return outcome;
  }

 private:
  static const muster_export& find_export(const muster_plugin& plugin, std::string_view name) {
    for (std::uint32_t i = 0; i < plugin.export_count; ++i) {
      const muster_export& one = plugin.exports[i];
      if (one.name == name && std::string_view{one.interface_id} == MUSTER_IFACE_GROUP_PROTOCOL) {
        return one;
      }
    }
    throw std::logic_error("no such group protocol: " + std::string{name});
  }
  static Outcome failed(muster_code code, const std::string& why) {
    Outcome outcome;
    outcome.code = code;
    outcome.error = why;
    return outcome;
  }
  bool claims(const Buffer& key) const {
    const auto type = type_of(key);
    for (std::uint32_t i = 0; type && i < table_->type_count; ++i) {
      if (table_->types[i].first <= *type && *type <= table_->types[i].last) return true;
    }
    return false;
  }
  muster_code load();
  void apply(Outcome& outcome);

  const muster_group_protocol_v1* table_;
  std::string name_;
  void* self_ = nullptr;
  void* shard_object_ = nullptr;
};

inline muster_code RigCore::load() {
  ErrorText error;
  shard_object_ = table_->shard_open(self_, shard.table(), error.table());
  if (shard_object_ == nullptr) throw std::logic_error("shard_open failed: " + error.text);
  shard.self = {name_, table_->facet, shard_object_};
  std::erase_if(shard.owners, [&](const auto& entry) { return entry.second.name == name_; });
  timers.clear();
  std::vector<std::pair<std::uint64_t, Buffer>> keys;
  for (const auto& [key, kept] : shard.stored) {
    if (claims(key)) keys.emplace_back(kept.first, key);
  }
  std::ranges::sort(keys);
  for (const auto& [sequence, key] : keys) {
    const muster_code code =
        table_->replay(shard_object_, sequence, MUSTER_REPLAY_RECORD, to_bytes(key),
                       to_bytes(shard.stored[key].second), shard.directory());
    if (code != MUSTER_OK) return code;
  }
  if (table_->on_loaded == nullptr) return MUSTER_OK;
  loaded = run("on_loaded", [&](const muster_decision* out, const muster_error_sink* sink) {
    return table_->on_loaded(shard_object_, out, sink);
  });
  return loaded.code;
}

inline void RigCore::apply(Outcome& outcome) {
  for (const Write& write : outcome.writes) {
    if (write.is_note && write.emitter != name_) continue;
    if (!write.is_note) shard.keep(write.key, write.value);
    if (write.is_note || claims(write.key)) {
      if (replay(write.is_note, write.key, write.value) != MUSTER_OK) {
        throw std::logic_error("replay refused what a slot emitted");
      }
    } else if (const auto group = group_of(write.key); group && !write.value) {
      // A foreign protocol's tombstone gives the id up.
      const auto owned = shard.owners.find(*group);
      if (owned != shard.owners.end() && owned->second.name != name_) shard.owners.erase(owned);
    }
  }
  for (const Timer& timer : outcome.timers) {
    if (timer.after_ms) timers[timer.key] = host.now_ms + *timer.after_ms;
    if (!timer.after_ms) timers.erase(timer.key);
  }
}

}  // namespace muster::testing
