// One event of a shard: ask the protocol, replay what it decided, queue it for commit, start its
// effects, answer.
#include "runtime/guarded.hpp"
#include "runtime/shard.hpp"

namespace muster::host {

std::pair<Error, std::string_view> Shard::state_refusal() const {
  switch (state_.load(std::memory_order_relaxed)) {
    case State::absent: return {Error::not_coordinator, "this host does not own the group's shard"};
    case State::draining:
      return {Error::coordinator_not_available, "the coordinator is shutting down"};
    default: return {Error::coordinator_load_in_progress, "the group's shard is loading"};
  }
}

void Shard::handle(PendingRequest pending, const ApiClaimants& api) {
  if (state_.load(std::memory_order_relaxed) != State::active) {
    const auto [error, why] = state_refusal();
    refuse(pending, api, error, why);
    return;
  }
  int owner = GroupDirectory::nobody;
  if (api.claim.scope == MUSTER_SCOPE_GROUP && pending.request->key.data != nullptr) {
    owner = life_->directory.find(from_abi(pending.request->key));
  }
  if (owner == GroupDirectory::unknown) {
    refuse(pending, api, Error::group_id_not_found, "the group's protocol is not loaded");
    return;
  }
  if (api.claimed_by(owner)) {
    decide(*life_->protocols[static_cast<std::size_t>(owner)], std::move(pending), api);
    return;
  }
  decide_as_creator(std::move(pending), api, owner);
}

void Shard::decide_as_creator(PendingRequest pending, const ApiClaimants& api, int owner) {
  muster_request request;
  if (owner >= 0) {
    request = *pending.request;
    request.owner =
        to_abi(std::string_view(life_->protocols[static_cast<std::size_t>(owner)]->protocol.name));
    pending.request = &request;
  }
  decide(*life_->protocols[api.creator], std::move(pending), api);
}

muster_code Shard::call_slot(ProtocolShard& by, const char* name, const void* context,
                             SlotCall call) {
  Life& life = *life_;
  life.begin_event();
  life.decision.clear();
  life.owner_changes.clear();
  life.deciding = true;
  ErrorText error;
  const muster_code code =
      guarded(error.sink(), [&] { return call(context, by.port.table(), error.sink()); });
  life.deciding = false;
  if (code != MUSTER_OK) misbehaved(by, name, error.text());
  return code;
}

bool Shard::run_slot(ProtocolShard& by, const char* name, const void* context, SlotCall call) {
  if (call_slot(by, name, context, call) != MUSTER_OK) return false;
  if (!acceptable(by, name) || !apply()) return false;
  start_effects(nullptr);
  return true;
}

void Shard::decide(ProtocolShard& by, PendingRequest pending, const ApiClaimants& api) {
  const muster_request& request = *pending.request;
  struct Context {
    ProtocolShard& by;
    const muster_request& request;
  } const context{by, request};
  const SlotCall call = [](const void* self, const muster_decision* decision,
                           const muster_error_sink* error) {
    const auto& [who, what] = *static_cast<const Context*>(self);
    return who.protocol.table->decide(who.object, &what, decision, error);
  };
  muster_code code = call_slot(by, "decide", &context, call);
  Decision& decision = life_->decision;
  if (code == MUSTER_OK && decision.reply == Decision::Reply::handed_on) {
    if (by.index != api.creator) {
      decide_as_creator(std::move(pending), api, static_cast<int>(by.index));
      return;
    }
    misbehaved(by, "decide", "it handed on a request that it creates for itself");
    code = MUSTER_INTERNAL;
  }
  if (code == MUSTER_OK && decision.reply == Decision::Reply::nothing && decision.closes.empty()) {
    misbehaved(by, "decide", "it neither answered nor parked");
    code = MUSTER_INTERNAL;
  }
  if (code != MUSTER_OK || !acceptable(by, "decide")) {
    refuse(pending, api, Error::unknown_server_error, "the group protocol failed");
    return;
  }
  if (!apply()) {
    // A fenced commit has left the shard absent.
    const bool fenced = state_ == State::absent;
    refuse(pending, api, fenced ? Error::not_coordinator : Error::coordinator_not_available,
           "the group's shard failed");
    return;
  }
  start_effects(&request);
  switch (decision.reply) {
    case Decision::Reply::body:
      answer(std::move(pending), api, {AnswerKind::body, decision.bytes(decision.body), {}});
      break;
    case Decision::Reply::shared:
      answer(std::move(pending), api, {AnswerKind::shared, {}, std::move(decision.shared)});
      break;
    case Decision::Reply::none: answer(std::move(pending), api, {AnswerKind::none, {}, {}}); break;
    case Decision::Reply::parked: park(by, std::move(pending), api); break;
    case Decision::Reply::handed_on:
    case Decision::Reply::nothing:
      answer(std::move(pending), api, {AnswerKind::close, {}, {}});
      break;
  }
}

// What would only fail once memory has changed is refused before.
bool Shard::acceptable(const ProtocolShard& by, const char* slot) {
  const Decision& decision = life_->decision;
  if (decision.records == 0) return true;
  const std::uint64_t most = space_.store->max_batch_bytes;
  if (most != 0 && decision.record_bytes > most) {
    misbehaved(by, slot, "its records are larger than the store takes in one batch");
    return false;
  }
  for (const Decision::Entry& entry : decision.entries) {
    if (entry.note || life_->owner_of(to_abi(decision.bytes(entry.key))) >= 0) continue;
    misbehaved(by, slot, "a record of a type that no loaded protocol claims");
    return false;
  }
  return true;
}

// Of an acceptable decision. False: the shard is gone, and whoever decided with it.
bool Shard::apply() {
  if (life_->decision.entries.empty()) return true;
  if (!replay_decision()) return false;
  if (life_->decision.records != 0) commit();
  return life_ != nullptr;
}

bool Shard::replay_decision() {
  Life& life = *life_;
  std::uint64_t sequence = life.next_sequence;
  std::size_t done = 0;
  for (bool more = true; more;) {
    for (; done < life.decision.entries.size(); ++done) {
      const Decision::Entry& entry = life.decision.entries[done];
      const muster_record record{
          to_abi(life.decision.bytes(entry.key)),
          entry.tombstone ? muster_bytes{nullptr, 0} : to_abi(life.decision.bytes(entry.value))};
      const int owner = entry.note ? static_cast<int>(entry.plugin) : life.owner_of(record.key);
      if (owner < 0) {
        fail(MUSTER_INTERNAL, "a record of a type that no loaded protocol claims");
        return false;
      }
      const std::uint64_t its = entry.note ? sequence - 1 : sequence++;
      if (const auto wrong = life.replay(its, owner, entry.note, record); !wrong.empty()) {
        fail(MUSTER_INTERNAL, wrong);
        return false;
      }
    }
    if (!hand_over()) return false;
    more = done < life.decision.entries.size();
  }
  return true;
}

// Tells both protocols of a group that changed hands in this batch; what they decide joins it.
bool Shard::hand_over() {
  Life& life = *life_;
  for (const OwnerChange& change : std::exchange(life.owner_changes, {})) {
    if (change.before < 0 || change.after < 0 || change.before == change.after) continue;
    for (const int mine : {0, 1}) {
      ProtocolShard& by =
          *life.protocols[static_cast<std::size_t>(mine != 0 ? change.after : change.before)];
      if (!offers(by.protocol.table, &muster_group_protocol_v1::on_owner)) continue;
      ErrorText error;
      life.deciding = true;
      const muster_code code = guarded(error.sink(), [&] {
        return by.protocol.table->on_owner(by.object, to_abi(std::string_view(change.group)), mine,
                                           by.port.table(), error.sink());
      });
      life.deciding = false;
      if (code != MUSTER_OK) {
        misbehaved(by, "on_owner", error.text());
        fail(MUSTER_INTERNAL, "a group could not change hands");
        return false;
      }
    }
  }
  return true;
}

void Shard::refuse(const PendingRequest& pending, const ApiClaimants& api, Error error,
                   std::string_view why) {
  const Protocol& protocol = space_.protocols->at(api.creator);
  BytesCollector body;
  const muster_code code = guarded(nullptr, [&] {
    return protocol.table->refuse(protocol.self, pending.request, code_of(error), to_abi(why),
                                  body.sink());
  });
  if (code != MUSTER_OK) {
    pending.to.deliver({AnswerKind::close, {}, {}});
    return;
  }
  pending.to.body(body.buffer());
}

void Shard::misbehaved(const ProtocolShard& by, std::string_view slot, std::string_view why) {
  space_.observer->misbehaved(by.protocol.name, slot, why);
}

}  // namespace muster::host
