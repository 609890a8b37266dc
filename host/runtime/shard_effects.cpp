// What a decision starts once it is replayed: timers, parks, completions, offloads; and calls once
// it is durable.
#include "runtime/shard.hpp"

namespace muster::host {

void Shard::start_effects(const muster_request* caller) {
  Decision& decision = life_->decision;
  if (!decision.timers.empty()) start_timers();
  if (!decision.parks.empty()) renew_parks();
  if (!decision.completions.empty()) complete_parked();
  if (!decision.calls.empty()) start_calls(caller);
  if (!decision.closes.empty()) close_connections();
  if (!decision.offloads.empty()) start_offloads();
  ask_for_wake();
}

void Shard::start_timers() {
  const Decision& decision = life_->decision;
  const std::int64_t now = space_.clock->monotonic_ms();
  for (const Decision::Timer& timer : decision.timers) {
    const TimerRef key{timer.plugin, decision.text(timer.key)};
    if (timer.cancel) {
      timers_.cancel(key);
    } else {
      timers_.arm(key, now + timer.after_ms);
    }
  }
}

void Shard::park(ProtocolShard& by, PendingRequest pending, const ApiClaimants& api) {
  for (const Decision::Park& park : life_->decision.parks) {
    const TokenKey key{TokenKind::parked, park.plugin, park.token};
    if (park.plugin != by.index || parked_.contains(key)) continue;
    pending.keep();
    if (park.deadline_ms != 0) {
      tokens_.arm(key, space_.clock->monotonic_ms() + park.deadline_ms);
    }
    parked_.emplace(key, Parked{std::move(pending), &api});
    ask_for_wake();
    return;
  }
  misbehaved(by, "decide", "it parked under a token that is in use");
  refuse(pending, api, Error::unknown_server_error, "the group protocol failed");
}

void Shard::renew_parks() {
  for (const Decision::Park& park : life_->decision.parks) {
    const TokenKey key{TokenKind::parked, park.plugin, park.token};
    if (!parked_.contains(key)) continue;
    if (park.deadline_ms == 0) {
      tokens_.cancel(key);
    } else {
      tokens_.arm(key, space_.clock->monotonic_ms() + park.deadline_ms);
    }
  }
}

void Shard::complete_parked() {
  for (Decision::Completion& completion : life_->decision.completions) {
    const TokenKey key{TokenKind::parked, completion.plugin, completion.token};
    const auto found = parked_.find(key);
    if (found == parked_.end()) continue;
    Parked parked = std::move(found->second);
    parked_.erase(found);
    tokens_.cancel(key);
    Answer given{AnswerKind::body, life_->decision.bytes(completion.body), {}};
    if (completion.is_shared) given = {AnswerKind::shared, {}, std::move(completion.shared)};
    answer(std::move(parked.request), *parked.api, std::move(given));
  }
}

void Shard::close_connections() {
  for (const std::uint64_t connection : life_->decision.closes) {
    if (durable()) {
      space_.caller->close_connection(connection);
    } else {
      Held& held = held_.emplace_back();
      held.batch = queued_batch_;
      held.close_connection = connection;
    }
  }
}

void Shard::start_calls(const muster_request* caller) {
  const Decision& decision = life_->decision;
  for (const Decision::Call& wanted : decision.calls) {
    const Bytes body = decision.bytes(wanted.body);
    Call call{wanted.plugin, wanted.token, {}};
    call.request.api_key = wanted.api_key;
    call.request.version = wanted.version;
    call.request.body.assign(body.begin(), body.end());
    if (!wanted.as_host && caller != nullptr) {
      call.request.principal = from_abi(caller->principal);
      call.request.client_id = from_abi(caller->client_id);
      call.request.client_host = from_abi(caller->client_host);
    }
    if (durable()) {
      send_call(std::move(call));
    } else {
      Held& held = held_.emplace_back();
      held.batch = queued_batch_;
      held.call = std::move(call);
    }
  }
}

namespace {

// Brings a call's answer back into the shard's turn.
class CallReply : public AnswerSink {
 public:
  using Done = std::function<void(OwnedAnswer)>;
  explicit CallReply(Done done) : done_(std::move(done)) {}
  void deliver(std::uint64_t, Answer answer) override { done_(OwnedAnswer(std::move(answer))); }

 private:
  Done done_;
};

// Keeps an answer's bytes alive for whoever retains the reply.
struct HeldReply {
  std::shared_ptr<OwnedAnswer> answer;
};

}  // namespace

void Shard::send_call(Call call) {
  const TokenKey key{TokenKind::call, call.plugin, call.token};
  calls_.insert(key);
  tokens_.arm(key, space_.clock->monotonic_ms() + space_.limits.call_timeout_ms);
  ask_for_wake();
  const CallId id{life_->number, call.plugin, call.token};
  const auto done = [this, id](OwnedAnswer answer) {
    auto kept = std::make_shared<OwnedAnswer>(std::move(answer));
    enqueue(Lane::ordinary, [this, id, kept] {
      on_reply(id, std::move(*kept),
               kept->kind == AnswerKind::close ? Error::network_exception : Error::none);
    });
  };
  auto sink = std::make_shared<CallReply>(done);
  // Posted, not made here: the call may come back into this very shard.
  auto request = std::make_shared<InternalCall>(std::move(call.request));
  space_.executor->post([caller = space_.caller, request, sink] {
    caller->call(std::move(*request), ReplyTo{sink, 0});
  });
}

void Shard::on_reply(const CallId& id, OwnedAnswer answer, Error error) {
  const TokenKey key{TokenKind::call, id.plugin, id.token};
  if (!life_ || life_->number != id.life || state_ != State::active || calls_.erase(key) == 0) {
    return;
  }
  tokens_.cancel(key);
  ProtocolShard& by = *life_->protocols[id.plugin];
  if (!offers(by.protocol.table, &muster_group_protocol_v1::on_reply)) return;

  HeldReply held{std::make_shared<OwnedAnswer>(std::move(answer))};
  const OwnedAnswer& kept = *held.answer;
  const muster_bytes whole = to_abi(Bytes(kept.body));
  muster_reply reply{};
  reply.struct_size = sizeof reply;
  reply.kafka_error = code_of(error);
  if (kept.kind == AnswerKind::shared) {
    reply.parts = kept.shared.parts().data();
    reply.part_count = static_cast<std::uint32_t>(kept.shared.parts().size());
  } else if (kept.kind == AnswerKind::body && error == Error::none) {
    reply.parts = &whole;
    reply.part_count = 1;
  }
  reply.self = &held;
  reply.retain = [](void* self) -> void* { return new HeldReply(*static_cast<HeldReply*>(self)); };
  reply.release = [](void* owner) { delete static_cast<HeldReply*>(owner); };
  run_slot(by, "on_reply", [&](const muster_decision* decision, const muster_error_sink* sink) {
    return by.protocol.table->on_reply(by.object, id.token, &reply, decision, sink);
  });
}

void Shard::fire_due() {
  wake_asked_ = no_deadline;
  const std::int64_t now = space_.clock->monotonic_ms();
  if (state_ == State::waiting && reload_at_ <= now) start_load();
  // What is left of a full turn is due again at once, behind what else is queued.
  int left = events_per_turn;
  for (; left > 0; --left) {
    const auto due = tokens_.pop_due(now);
    if (!due) break;
    fire_token(*due);
  }
  for (; left > 0 && state_ == State::active; --left) {
    const auto due = timers_.pop_due(now);
    if (!due) break;
    ProtocolShard& by = *life_->protocols[due->plugin];
    if (!offers(by.protocol.table, &muster_group_protocol_v1::on_timer)) continue;
    run_slot(by, "on_timer", [&](const muster_decision* decision, const muster_error_sink* error) {
      return by.protocol.table->on_timer(by.object, to_abi(std::string_view(due->key)), decision,
                                         error);
    });
  }
  ask_for_wake();
}

void Shard::fire_token(const TokenKey& key) {
  if (key.kind == TokenKind::offload) {
    offload_late(key.token);
    return;
  }
  if (state_ != State::active) return;
  if (key.kind == TokenKind::call) {
    on_reply({life_->number, key.plugin, key.token}, {}, Error::request_timed_out);
    return;
  }
  if (!parked_.contains(key)) return;
  ProtocolShard& by = *life_->protocols[key.plugin];
  const std::uint64_t number = life_->number;
  if (offers(by.protocol.table, &muster_group_protocol_v1::on_expired)) {
    run_slot(by, "on_expired",
             [&](const muster_decision* decision, const muster_error_sink* error) {
               return by.protocol.table->on_expired(by.object, key.token, decision, error);
             });
  }
  if (!life_ || life_->number != number) return;
  const auto found = parked_.find(key);
  if (found == parked_.end() || tokens_.armed(key)) return;
  Parked parked = std::move(found->second);
  parked_.erase(found);
  refuse(parked.request, *parked.api, Error::request_timed_out, "the request waited too long");
}

void Shard::ask_for_wake() {
  const std::int64_t next = std::min({timers_.next(), tokens_.next(), reload_at_});
  if (next >= wake_asked_) return;
  wake_asked_ = next;
  space_.executor->wake_at(*this, next);
}

}  // namespace muster::host
