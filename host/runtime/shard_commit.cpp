// Durability: batches go to the store in order; answers and calls wait for the newest batch before
// them.
#include <atomic>

#include "runtime/shard.hpp"

namespace muster::host {
// The store's word on one batch. `done` may come before commit returns, on this thread or another,
// or much later, and before an earlier batch's word has found its turn.
struct Shard::CommitToken {
  enum class Phase : std::uint8_t { calling, returned, done };

  Shard* shard;
  std::uint64_t life;
  std::uint64_t batch;
  muster_code code = MUSTER_OK;
  std::atomic<Phase> phase{Phase::calling};
};

void Shard::commit() {
  Life& life = *life_;
  batch_.clear();
  for (const Decision::Entry& entry : life.decision.entries) {
    if (entry.note) continue;
    batch_.push_back(
        {to_abi(life.decision.bytes(entry.key)),
         entry.tombstone ? muster_bytes{nullptr, 0} : to_abi(life.decision.bytes(entry.value))});
  }
  const std::uint64_t first = life.next_sequence;
  life.next_sequence += batch_.size();
  uncommitted_bytes_ += life.decision.record_bytes;
  auto token = std::make_unique<CommitToken>();
  token->shard = this;
  token->life = life.number;
  token->batch = ++queued_batch_;
  Uncommitted& batch = uncommitted_.emplace_back();
  batch.started_ms = space_.clock->monotonic_ms();
  batch.bytes = life.decision.record_bytes;
  if (space_.mirror != nullptr) batch.mirrored = mirrored();

  CommitToken* const raw = token.release();
  space_.store->commit(space_.store_self, to_abi(std::string_view(space_.name)), index_, life.epoch,
                       first, batch_.data(), static_cast<std::uint32_t>(batch_.size()),
                       &Shard::commit_done, raw);
  if (raw->phase.exchange(CommitToken::Phase::returned) == CommitToken::Phase::done) {
    committed(std::unique_ptr<CommitToken>(raw));
    return;
  }
  // raw may be gone from here on: its completion can run at any time.
  stalled_ =
      uncommitted_bytes_ > space_.limits.uncommitted_bytes ||
      space_.clock->monotonic_ms() - uncommitted_.front().started_ms > space_.limits.uncommitted_ms;
}

void Shard::commit_done(void* owner, muster_code code) {
  auto* const token = static_cast<CommitToken*>(owner);
  token->code = code;
  if (token->phase.exchange(CommitToken::Phase::done) == CommitToken::Phase::calling) return;
  Shard& shard = *token->shard;
  shard.enqueue(Lane::urgent, [&shard, kept = std::unique_ptr<CommitToken>(token)]() mutable {
    shard.committed(std::move(kept));
  });
}

void Shard::committed(std::unique_ptr<CommitToken> token) {
  if (!life_ || token->life != life_->number) return;
  if (token->code != MUSTER_OK) {
    fail(token->code, "the store could not commit");
    return;
  }
  uncommitted_[token->batch - durable_batch_ - 1].is_done = true;
  for (; !uncommitted_.empty() && uncommitted_.front().is_done; uncommitted_.pop_front()) {
    Uncommitted& batch = uncommitted_.front();
    ++durable_batch_;
    if (!batch.mirrored.empty()) space_.mirror->append(index_, std::move(batch.mirrored));
    uncommitted_bytes_ -= batch.bytes;
  }
  stalled_ = stalled_ && uncommitted_bytes_ > space_.limits.uncommitted_bytes / 2;
  release_held();
}

void Shard::answer(PendingRequest pending, const ApiClaimants& api, Answer given) {
  if (durable()) {
    pending.to.deliver(std::move(given));
    return;
  }
  pending.keep();
  held_.push_back(
      {queued_batch_, {std::move(pending), &api}, OwnedAnswer(std::move(given)), {}, 0});
}

void Shard::release_held() {
  while (!held_.empty() && held_.front().batch <= durable_batch_) {
    Held held = std::move(held_.front());
    held_.pop_front();
    if (held.call) {
      send_call(std::move(*held.call));
    } else if (held.close_connection != 0) {
      space_.caller->close_connection(held.close_connection);
    } else {
      held.answered.request.to.deliver(held.answer.release());
    }
  }
}

void Shard::fail(muster_code code, std::string_view why) {
  if (!life_) return;
  space_.observer->log(MUSTER_LOG_ERROR, "shard " + space_.name + "/" + std::to_string(index_) +
                                             " closed: " + std::string(why));
  const bool fenced = code == MUSTER_FENCED;
  close_life(fenced ? Error::not_coordinator : Error::coordinator_not_available,
             "the group's shard was closed");
  if (state_ == State::draining) return;
  if (fenced) {
    state_ = State::absent;
    epoch_ = 0;
    return;
  }
  state_ = State::waiting;
  reload_after_ms_ =
      std::clamp(reload_after_ms_ * 2, space_.limits.reload_min_ms, space_.limits.reload_max_ms);
  reload_at_ = space_.clock->monotonic_ms() + reload_after_ms_;
  ask_for_wake();
}

void Shard::close_life(Error error, std::string_view why) {
  for (auto& held : std::exchange(held_, {})) {
    if (!held.call && held.close_connection == 0) {
      refuse(held.answered.request, *held.answered.api, error, why);
    }
  }
  for (auto& [key, parked] : std::exchange(parked_, {})) {
    refuse(parked.request, *parked.api, error, why);
  }
  timers_.clear();
  tokens_.clear();
  calls_.clear();
  leave_offloads();
  life_.reset();
  queued_batch_ = durable_batch_ = 0;
  uncommitted_bytes_ = 0;
  uncommitted_.clear();
  stalled_ = false;
}

}  // namespace muster::host
