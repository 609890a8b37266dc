#include "runtime/decision.hpp"

namespace muster::host {
namespace {

// One large answer must not stay with its shard for good.
constexpr std::size_t arena_kept_bytes = 64 << 10;

}  // namespace

void Decision::clear() {
  reply = Reply::nothing;
  body = {};
  shared = {};
  entries.clear();
  completions.clear();
  parks.clear();
  timers.clear();
  offloads.clear();
  calls.clear();
  closes.clear();
  record_bytes = 0;
  records = 0;
  arena_.clear();
  if (arena_.capacity() > arena_kept_bytes) arena_ = Buffer();
}

Decision::Piece Decision::keep(Bytes bytes) {
  const Piece piece{arena_.size(), bytes.size()};
  arena_.insert(arena_.end(), bytes.begin(), bytes.end());
  return piece;
}

Decision::Piece Decision::keep(std::string_view text) {
  return keep(Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

void Decision::add_entry(std::uint32_t plugin, bool note, muster_bytes key, muster_bytes value) {
  const Piece kept_key = keep(from_abi(key));
  const Piece kept_value = keep(from_abi(value));
  entries.push_back({plugin, note, value.data == nullptr, kept_key, kept_value});
  if (!note) {
    record_bytes += key.size + value.size;
    ++records;
  }
}

void Decision::respond(Bytes bytes) {
  body = keep(bytes);
  reply = Reply::body;
}

void Decision::respond(SharedParts parts) {
  shared = std::move(parts);
  reply = Reply::shared;
}

namespace {

DecisionPort& port(void* self) { return *static_cast<DecisionPort*>(self); }

void set_answers(muster_decision& table) {
  table.respond = [](void* self, muster_bytes body) {
    port(self).decision().respond(from_abi(body));
  };
  table.respond_shared = [](void* self, const muster_bytes* parts, std::uint32_t count,
                            muster_release release, void* owner) {
    port(self).decision().respond(SharedParts(parts, count, release, owner));
  };
  table.no_response = [](void* self) { port(self).decision().reply = Decision::Reply::none; };
  table.hand_on = [](void* self) { port(self).decision().reply = Decision::Reply::handed_on; };
  table.close_connection = [](void* self, std::uint64_t connection) {
    port(self).decision().closes.push_back(connection);
  };
  table.park = [](void* self, std::uint64_t token, std::uint32_t deadline_ms) {
    Decision& decision = port(self).decision();
    if (decision.reply == Decision::Reply::nothing) decision.reply = Decision::Reply::parked;
    decision.parks.push_back({port(self).plugin(), token, deadline_ms});
  };
  table.complete = [](void* self, std::uint64_t token, muster_bytes body) {
    Decision& decision = port(self).decision();
    const Decision::Piece kept = decision.keep(from_abi(body));
    decision.completions.push_back({port(self).plugin(), token, kept, false, {}});
  };
  table.complete_shared = [](void* self, std::uint64_t token, const muster_bytes* parts,
                             std::uint32_t count, muster_release release, void* owner) {
    port(self).decision().completions.push_back(
        {port(self).plugin(), token, {}, true, SharedParts(parts, count, release, owner)});
  };
}

void set_effects(muster_decision& table) {
  table.record = [](void* self, muster_bytes key, muster_bytes value) {
    port(self).decision().add_entry(port(self).plugin(), false, key, value);
  };
  table.note = [](void* self, muster_bytes key, muster_bytes value) {
    port(self).decision().add_entry(port(self).plugin(), true, key, value);
  };
  table.timer = [](void* self, muster_str key, std::uint32_t after_ms) {
    Decision& decision = port(self).decision();
    decision.timers.push_back({port(self).plugin(), decision.keep(from_abi(key)), after_ms, false});
  };
  table.cancel = [](void* self, muster_str key) {
    Decision& decision = port(self).decision();
    decision.timers.push_back({port(self).plugin(), decision.keep(from_abi(key)), 0, true});
  };
  table.offload = [](void* self, muster_str key, std::uint64_t epoch, muster_str kind) {
    Decision& decision = port(self).decision();
    const Decision::Piece kept = decision.keep(from_abi(key));
    decision.offloads.push_back({port(self).plugin(), kept, epoch, decision.keep(from_abi(kind))});
  };
  table.call = [](void* self, std::uint64_t token, std::int32_t as_host, std::int16_t api_key,
                  std::int16_t version, muster_bytes body) {
    Decision& decision = port(self).decision();
    decision.calls.push_back({port(self).plugin(), token, as_host != 0, api_key, version,
                              decision.keep(from_abi(body))});
  };
}

}  // namespace

DecisionPort::DecisionPort(Decision& decision, std::uint32_t plugin)
    : decision_(decision), plugin_(plugin) {
  table_.struct_size = sizeof table_;
  table_.self = this;
  set_answers(table_);
  set_effects(table_);
}

}  // namespace muster::host
