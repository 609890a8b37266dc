#include "service/border_check.hpp"

#include <atomic>
#include <string>
#include <thread>
#include <utility>

namespace muster::host {

namespace {

// A [shard] slot must not block; one that took longer is told of.
constexpr std::int64_t slow_ms = 10;

}  // namespace

struct CheckedProtocol {
  Observer& observer;
  Clock& clock;
  Protocol inner;
  muster_group_protocol_v1 table{};
  muster_group_facet_v1 facet{};

  void complain(const char* slot, std::string_view why) const {
    observer.misbehaved(inner.name, slot, why);
  }
};

namespace {

// What the host holds as a shard's object, and the tables that the plugin gets instead of its own.
struct CheckedShard {
  CheckedShard(CheckedProtocol& its_protocol, const muster_shard* its_place);

  static CheckedShard& of(void* self) { return *static_cast<CheckedShard*>(self); }
  bool here() const { return inside.load() == std::this_thread::get_id(); }

  CheckedProtocol& protocol;
  void* object = nullptr;
  std::atomic<std::thread::id> inside;        // who runs a slot; default: nobody
  const muster_decision* deciding = nullptr;  // the host's, if that slot has one; only for `inside`
  const muster_shard* place_inner;
  muster_shard place{};
  muster_decision decision{};
};

// Around one [shard] slot.
class Turn {
 public:
  Turn(CheckedShard& shard, const char* slot)
      : shard_(shard), slot_(slot), started_ms_(shard.protocol.clock.monotonic_ms()) {
    std::thread::id nobody;
    entered_ = shard.inside.compare_exchange_strong(nobody, std::this_thread::get_id());
    intruder_ = !entered_ && nobody != std::this_thread::get_id();  // else: a facet within a slot
    if (!intruder_) {
      before_ = shard.deciding;
      return;
    }
    shard.protocol.complain(slot, "[shard]: two threads are in one shard at once");
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  ~Turn() {
    if (intruder_) return;
    shard_.deciding = before_;
    if (!entered_) return;
    shard_.inside.store({});
    const std::int64_t took_ms = shard_.protocol.clock.monotonic_ms() - started_ms_;
    if (took_ms <= slow_ms) return;
    shard_.protocol.complain(
        slot_, "[shard]: it took " + std::to_string(took_ms) + " ms and must not block");
  }

  // What the plugin gets instead of a slot's argument.
  template <class Argument>
  Argument given(Argument argument) const {
    return argument;
  }
  const muster_decision* given(const muster_decision* decision) {
    if (decision == nullptr || intruder_) return decision;
    shard_.deciding = decision;
    return &shard_.decision;
  }

 private:
  CheckedShard& shard_;
  const char* slot_;
  const muster_decision* before_ = nullptr;
  std::int64_t started_ms_;
  bool entered_ = false;
  bool intruder_ = false;
};

template <class Table>
const Table& inner_table(const CheckedProtocol& protocol) {
  if constexpr (std::is_same_v<Table, muster_group_facet_v1>) {
    return *protocol.inner.table->facet;
  } else {
    return *protocol.inner.table;
  }
}

// A slot of a shard's object.
template <auto Member>
struct ShardSlot;
template <class Table, class Value, class... Arguments,
          Value (*Table::*Member)(void*, Arguments...)>
struct ShardSlot<Member> {
  static inline const char* name = "";
  static Value call(void* self, Arguments... arguments) {
    CheckedShard& shard = CheckedShard::of(self);
    Turn turn(shard, name);
    return (inner_table<Table>(shard.protocol).*Member)(shard.object, turn.given(arguments)...);
  }
};

// A slot of the process's object: handed through.
template <auto Member>
struct SelfSlot;
template <class Value, class... Arguments,
          Value (*muster_group_protocol_v1::*Member)(void*, Arguments...)>
struct SelfSlot<Member> {
  static inline const char* name = "";
  static Value call(void* self, Arguments... arguments) {
    const Protocol& inner = static_cast<CheckedProtocol*>(self)->inner;
    return (inner.table->*Member)(inner.self, arguments...);
  }
};

// What was shared and goes nowhere is given back.
template <class... Arguments>
void drop(Arguments...) {}
void drop(const muster_bytes*, std::uint32_t, muster_release release, void* owner) {
  release(owner);
}
template <class... Arguments>
void drop(std::uint64_t, Arguments... arguments) {
  drop(arguments...);
}

// A call of the plugin's into its decision.
template <auto Member>
struct DecisionSlot;
template <class... Arguments, void (*muster_decision::*Member)(void*, Arguments...)>
struct DecisionSlot<Member> {
  static inline const char* name = "";
  static void call(void* self, Arguments... arguments) {
    CheckedShard& shard = CheckedShard::of(self);
    if (shard.here() && shard.deciding != nullptr) {
      (shard.deciding->*Member)(shard.deciding->self, arguments...);
      return;
    }
    shard.protocol.complain(name, "a decision was used after its slot, or on another thread");
    drop(arguments...);
  }
};

// A question of the plugin's to its shard.
template <auto Member>
struct PlaceSlot;
template <class Value, class... Arguments, Value (*muster_shard::*Member)(void*, Arguments...)>
struct PlaceSlot<Member> {
  static inline const char* name = "";
  static Value call(void* self, Arguments... arguments) {
    CheckedShard& shard = CheckedShard::of(self);
    if (!shard.here()) {
      shard.protocol.complain(name, "muster_shard was asked outside of a slot of its shard");
    }
    return (shard.place_inner->*Member)(shard.place_inner->self, arguments...);
  }
};

void* open_shard(void* self, const muster_shard* place, const muster_error_sink* error) {
  auto& protocol = *static_cast<CheckedProtocol*>(self);
  auto shard = std::make_unique<CheckedShard>(protocol, place);
  {
    const Turn turn(*shard, "shard_open");
    shard->object = protocol.inner.table->shard_open(protocol.inner.self, &shard->place, error);
  }
  return shard->object == nullptr ? nullptr : shard.release();
}

void close_shard(void* self) {
  const std::unique_ptr<CheckedShard> shard(&CheckedShard::of(self));
  const Turn turn(*shard, "shard_close");
  shard->protocol.inner.table->shard_close(shard->object);
}

// Puts the checked slot where the original has one.
#define MUSTER_WRAP(Wrapper, table, from, Table, member) \
  if (offers(from, &Table::member)) {                    \
    Wrapper<&Table::member>::name = #member;             \
    (table).member = &Wrapper<&Table::member>::call;     \
  }

CheckedShard::CheckedShard(CheckedProtocol& its_protocol, const muster_shard* its_place)
    : protocol(its_protocol), place_inner(its_place) {
  place.struct_size = sizeof place;
  place.self = this;
  place.shard = its_place->shard;
  place.shard_count = its_place->shard_count;
  MUSTER_WRAP(PlaceSlot, place, its_place, muster_shard, now_ms)
  MUSTER_WRAP(PlaceSlot, place, its_place, muster_shard, metadata)
  MUSTER_WRAP(PlaceSlot, place, its_place, muster_shard, find_group)
  MUSTER_WRAP(PlaceSlot, place, its_place, muster_shard, each_group)

  decision.struct_size = sizeof decision;
  decision.self = this;
#define MUSTER_WRAP_CALL(member)                          \
  DecisionSlot<&muster_decision::member>::name = #member; \
  decision.member = &DecisionSlot<&muster_decision::member>::call;
  MUSTER_WRAP_CALL(record)
  MUSTER_WRAP_CALL(note)
  MUSTER_WRAP_CALL(respond)
  MUSTER_WRAP_CALL(respond_shared)
  MUSTER_WRAP_CALL(no_response)
  MUSTER_WRAP_CALL(close_connection)
  MUSTER_WRAP_CALL(park)
  MUSTER_WRAP_CALL(complete)
  MUSTER_WRAP_CALL(complete_shared)
  MUSTER_WRAP_CALL(timer)
  MUSTER_WRAP_CALL(cancel)
  MUSTER_WRAP_CALL(offload)
  MUSTER_WRAP_CALL(call)
  MUSTER_WRAP_CALL(hand_on)
#undef MUSTER_WRAP_CALL
}

void wrap_self(CheckedProtocol& checked, const muster_group_protocol_v1* from) {
  muster_group_protocol_v1& table = checked.table;
  MUSTER_WRAP(SelfSlot, table, from, muster_group_protocol_v1, route)
  MUSTER_WRAP(SelfSlot, table, from, muster_group_protocol_v1, join)
  MUSTER_WRAP(SelfSlot, table, from, muster_group_protocol_v1, refuse)
  MUSTER_WRAP(SelfSlot, table, from, muster_group_protocol_v1, work)
  MUSTER_WRAP(SelfSlot, table, from, muster_group_protocol_v1, mirror)
  table.shard_open = open_shard;
  table.shard_close = close_shard;
}

void wrap_shard(CheckedProtocol& checked, const muster_group_protocol_v1* from) {
  muster_group_protocol_v1& table = checked.table;
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, replay)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, on_loaded)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, decide)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, on_timer)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, on_expired)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, task_input)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, on_task)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, on_reply)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, on_metadata)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, on_disconnect)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, on_owner)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_protocol_v1, digest)
}

void wrap_facet(CheckedProtocol& checked, const muster_group_facet_v1* from) {
  muster_group_facet_v1& table = checked.facet;
  table.struct_size = sizeof table;
  MUSTER_WRAP(ShardSlot, table, from, muster_group_facet_v1, describe_listed)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_facet_v1, check_commit)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_facet_v1, check_fetch)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_facet_v1, subscribes)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_facet_v1, remove)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_facet_v1, expires)
  MUSTER_WRAP(ShardSlot, table, from, muster_group_facet_v1, export_group)
  checked.table.facet = &table;
}
#undef MUSTER_WRAP

}  // namespace

BorderCheck::BorderCheck(Observer& observer, Clock& clock) : observer_(observer), clock_(clock) {}

BorderCheck::~BorderCheck() = default;

Protocol BorderCheck::around(const Protocol& protocol) {
  const muster_group_protocol_v1* from = protocol.table;
  CheckedProtocol& checked =
      *protocols_.emplace_back(new CheckedProtocol{observer_, clock_, protocol, {}, {}});
  checked.table.struct_size = sizeof checked.table;
  checked.table.apis = from->apis;
  checked.table.api_count = from->api_count;
  checked.table.types = from->types;
  checked.table.type_count = from->type_count;
  checked.table.shard_space = from->shard_space;
  wrap_self(checked, from);
  wrap_shard(checked, from);
  if (offers(from, &muster_group_protocol_v1::facet)) wrap_facet(checked, from->facet);
  return {protocol.name, &checked.table, &checked};
}

}  // namespace muster::host
