#include "runtime/life.hpp"

#include "runtime/guarded.hpp"

namespace muster::host {

ProtocolShard::ProtocolShard(Life& its_life, std::uint32_t its_index, const Protocol& its_protocol,
                             std::uint32_t shard)
    : life(its_life), index(its_index), protocol(its_protocol), port(its_life.decision, its_index) {
  bind_shard_context(*this, shard);
}

ProtocolShard::~ProtocolShard() {
  if (object == nullptr) return;
  guarded(nullptr, [this] {
    protocol.table->shard_close(object);
    return muster_code{MUSTER_OK};
  });
}

Life::Life(const SpaceContext& its_space, std::uint32_t its_shard, std::uint64_t its_number,
           std::uint64_t its_epoch)
    : space(its_space),
      shard(its_shard),
      number(its_number),
      epoch(its_epoch),
      snapshot(its_space.metadata->current()) {
  set_directory_table();
}

std::int64_t Life::now_ms() {
  if (!now_known_) {
    now_ms_ = space.clock->wall_ms();
    now_known_ = true;
  }
  return now_ms_;
}

int Life::owner_of(muster_bytes key) const {
  if (key.size < 2) return GroupDirectory::nobody;
  return space.protocols->owner_of_type(static_cast<std::int16_t>(key.data[0] << 8 | key.data[1]));
}

std::string Life::replay(std::uint64_t sequence, int plugin, bool note,
                         const muster_record& record) {
  ProtocolShard& target = *protocols[static_cast<std::size_t>(plugin)];
  replaying_ = plugin;
  const muster_code code = guarded(nullptr, [&] {
    return target.protocol.table->replay(target.object, sequence,
                                         note ? MUSTER_REPLAY_NOTE : MUSTER_REPLAY_RECORD,
                                         record.key, record.value, &directory_table_);
  });
  replaying_ = GroupDirectory::nobody;
  if (!conflict_.empty()) return std::exchange(conflict_, {});
  if (code == MUSTER_OK) return {};
  return "'" + target.protocol.name + "' could not replay " + (note ? "a note" : "a record") +
         " (code " + std::to_string(code) + ")";
}

void Life::set_directory_table() {
  directory_table_.struct_size = sizeof directory_table_;
  directory_table_.self = this;
  directory_table_.own = [](void* self, muster_str group) {
    return static_cast<Life*>(self)->own(from_abi(group));
  };
  directory_table_.disown = [](void* self, muster_str group) {
    static_cast<Life*>(self)->disown(from_abi(group));
  };
}

muster_code Life::own(std::string_view group) {
  if (replaying_ < 0) return MUSTER_INVALID_ARGUMENT;
  const int before = directory.find(group);
  if (before == replaying_) return MUSTER_OK;
  if (!directory.own(group, replaying_)) {
    const auto name = [this](int owner) {
      return owner < 0 ? std::string("unknown")
                       : protocols[static_cast<std::size_t>(owner)]->protocol.name;
    };
    conflict_ = "group '" + std::string(group) + "' is owned by '" + name(before) + "' and by '" +
                name(replaying_) + "'";
    return MUSTER_INVALID_ARGUMENT;
  }
  for (OwnerChange& change : owner_changes) {
    if (change.group == group) {
      change.after = replaying_;
      return MUSTER_OK;
    }
  }
  owner_changes.push_back({std::string(group), GroupDirectory::nobody, replaying_});
  return MUSTER_OK;
}

void Life::disown(std::string_view group) {
  if (replaying_ < 0 || directory.find(group) != replaying_) return;
  directory.disown(group, replaying_);
  for (OwnerChange& change : owner_changes) {
    if (change.group == group) {
      change.after = GroupDirectory::nobody;
      return;
    }
  }
  owner_changes.push_back({std::string(group), replaying_, GroupDirectory::nobody});
}

// A key of any type starts with its type, then its shard key as a Kafka string: enough to keep
// others off the id.
void Life::keep_unknown(const muster_record& record) {
  ++unknown_records;
  if (record.key.size < 4) return;
  unknown_types.insert(static_cast<std::int16_t>(record.key.data[0] << 8 | record.key.data[1]));
  const std::size_t size = static_cast<std::size_t>(record.key.data[2] << 8 | record.key.data[3]);
  if (record.key.size - 4 < size) return;
  unknown_ids_.emplace(reinterpret_cast<const char*>(record.key.data) + 4, size);
}

// After the load, so that it is the same in whatever order the records lie: an id that a loaded
// protocol owns is that one's, whoever else left records for it.
void Life::own_unknown() {
  for (const std::string& id : std::exchange(unknown_ids_, {})) {
    directory.own(id, GroupDirectory::unknown);
  }
}

std::string Life::open_protocols() {
  for (std::uint32_t i = 0; i < space.protocols->size(); ++i) {
    auto& opened = protocols.emplace_back(
        std::make_unique<ProtocolShard>(*this, i, space.protocols->at(i), shard));
    ErrorText error;
    const Protocol& protocol = opened->protocol;
    const muster_code code = guarded(error.sink(), [&] {
      opened->object = protocol.table->shard_open(protocol.self, &opened->context, error.sink());
      return opened->object == nullptr ? MUSTER_INTERNAL : MUSTER_OK;
    });
    if (code != MUSTER_OK) {
      return "'" + protocol.name + "' could not open the shard: " + error.text();
    }
  }
  return {};
}

LoadResult Life::load() {
  if (auto why = open_protocols(); !why.empty()) return {MUSTER_INTERNAL, std::move(why)};
  struct Replay {
    Life& life;
    std::string wrong;

    static void record(void* self, std::uint64_t sequence, muster_bytes key, muster_bytes value) {
      auto& [life, wrong] = *static_cast<Replay*>(self);
      if (!wrong.empty()) return;
      life.next_sequence = sequence + 1;
      const muster_record record{key, value};
      const int owner = life.owner_of(key);
      if (owner < 0) {
        life.keep_unknown(record);
      } else {
        wrong = life.replay(sequence, owner, false, record);
      }
    }
  } replay{*this, {}};
  const muster_record_sink sink{sizeof sink, &replay, &Replay::record};
  ErrorText error;
  const muster_code code = guarded(error.sink(), [&] {
    return space.store->load(space.store_self, to_abi(std::string_view(space.name)), shard, epoch,
                             &sink, error.sink());
  });
  owner_changes.clear();
  if (code != MUSTER_OK) return {code, "the store could not load it: " + error.text()};
  if (!replay.wrong.empty()) return {MUSTER_CORRUPT, std::move(replay.wrong)};
  own_unknown();
  return {};
}

}  // namespace muster::host
