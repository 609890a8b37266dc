// The serial queue of a shard, and the ways into it.
#include "runtime/shard.hpp"

namespace muster::host {

Shard::Shard(const SpaceContext& space, std::uint32_t index) : space_(space), index_(index) {}
Shard::~Shard() = default;

// The way in and out without a lock: nobody is inside and nothing is queued. (A stalled shard has
// ordinary events queued while nobody is inside: then a new one must go behind them.)
bool Shard::enter() {
  Turn free = Turn::idle;
  if (stalled_.load(std::memory_order_relaxed) ||
      !turn_.compare_exchange_strong(free, Turn::inside, std::memory_order_acq_rel)) {
    return false;
  }
  // It may have stalled between the two; whoever left it so is seen from here on.
  if (!stalled_.load(std::memory_order_relaxed)) return true;
  leave();
  return false;
}

void Shard::leave() {
  Turn alone = Turn::inside;
  if (!turn_.compare_exchange_strong(alone, Turn::idle, std::memory_order_acq_rel)) run_queue();
}

void Shard::enqueue(Lane lane, Task task) {
  {
    const std::lock_guard lock(mutex_);
    (lane == Lane::urgent ? urgent_ : ordinary_).push_back(std::move(task));
    // Whoever is inside sees it on the way out; if nobody is, this thread goes in.
    if (turn_.exchange(Turn::queued, std::memory_order_acq_rel) != Turn::idle) return;
  }
  run_queue();
}

bool Shard::take(Task& task) {
  const std::lock_guard lock(mutex_);
  auto& lane = !urgent_.empty() ? urgent_ : ordinary_;
  if (lane.empty() || (&lane == &ordinary_ && stalled_.load(std::memory_order_relaxed))) {
    turn_.store(Turn::idle, std::memory_order_release);
    return false;
  }
  task = std::move(lane.front());
  lane.pop_front();
  return true;
}

void Shard::run_queue() {
  Task task;
  for (int events = 0; events < events_per_turn; ++events) {
    if (!take(task)) return;
    task();
    task = nullptr;
  }
  space_.executor->post([this] { run_queue(); });
}

void Shard::submit(const muster_request& request, const ApiClaimants& api, ReplyTo to) {
  if (enter()) {
    handle({&request, nullptr, std::move(to)}, api);
    leave();
    return;
  }
  PendingRequest kept{&request, nullptr, std::move(to)};
  kept.keep();
  enqueue(Lane::ordinary,
          [this, &api, pending = std::move(kept)]() mutable { handle(std::move(pending), api); });
}

void Shard::gained(std::uint64_t epoch) {
  enqueue(Lane::urgent, [this, epoch] {
    if (state_ == State::draining) return;
    epoch_ = epoch;
    start_load();
  });
}

void Shard::lost() {
  enqueue(Lane::urgent, [this] {
    if (life_) {
      fail(MUSTER_FENCED, "the shard moved to another owner");
    } else if (state_ != State::draining) {
      ++life_number_;  // a load that is under way is no longer ours
      reload_at_ = no_deadline;
      state_ = State::absent;
      epoch_ = 0;
    }
  });
}

void Shard::metadata_changed(std::shared_ptr<const MetadataChange> change) {
  enqueue(Lane::ordinary, [this, kept = std::move(change)] {
    if (state_ != State::active ||
        kept->snapshot->view()->version <= life_->snapshot->view()->version) {
      return;
    }
    const std::uint64_t number = life_->number;
    life_->snapshot = kept->snapshot;
    for (std::size_t i = 0; life_ && life_->number == number && i < life_->protocols.size(); ++i) {
      ProtocolShard& by = *life_->protocols[i];
      if (!offers(by.protocol.table, &muster_group_protocol_v1::on_metadata)) continue;
      run_slot(by, "on_metadata",
               [&](const muster_decision* decision, const muster_error_sink* error) {
                 return by.protocol.table->on_metadata(
                     by.object, kept->snapshot->view(), kept->changes.data(),
                     static_cast<std::uint32_t>(kept->changes.size()), decision, error);
               });
    }
  });
}

void Shard::disconnected(std::uint64_t connection) {
  enqueue(Lane::ordinary, [this, connection] {
    if (state_ != State::active) return;
    const std::uint64_t number = life_->number;
    for (std::size_t i = 0; life_ && life_->number == number && i < life_->protocols.size(); ++i) {
      ProtocolShard& by = *life_->protocols[i];
      if (!offers(by.protocol.table, &muster_group_protocol_v1::on_disconnect)) continue;
      run_slot(by, "on_disconnect",
               [&](const muster_decision* decision, const muster_error_sink* error) {
                 return by.protocol.table->on_disconnect(by.object, connection, decision, error);
               });
    }
  });
}

void Shard::wake() {
  enqueue(Lane::ordinary, [this] { fire_due(); });
}

void Shard::paused(std::int64_t by_ms) {
  enqueue(Lane::urgent, [this, by_ms] { timers_.push_back(by_ms); });
}

void Shard::drain() {
  enqueue(Lane::urgent, [this] {
    state_ = State::draining;
    for (auto& [key, parked] : parked_) {
      refuse(parked.request, *parked.api, Error::coordinator_not_available,
             "the coordinator is shutting down");
    }
    parked_.clear();
  });
}

}  // namespace muster::host
