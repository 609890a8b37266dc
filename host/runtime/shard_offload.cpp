// Offloads of a shard: one at a time per key, started after replay, finished in the shard's turn.
#include "runtime/guarded.hpp"
#include "runtime/shard.hpp"

namespace muster::host {

void Shard::start_offloads() {
  const Decision& decision = life_->decision;
  // Copied first: building an input calls the plugin, and a failing start decides anew.
  struct Wanted {
    std::uint32_t plugin;
    std::string key;
    std::uint64_t epoch;
    std::string kind;
  };
  std::vector<Wanted> wanted;
  for (const Decision::Offload& offload : decision.offloads) {
    wanted.push_back({offload.plugin, std::string(decision.text(offload.key)), offload.epoch,
                      std::string(decision.text(offload.kind))});
  }
  for (Wanted& one : wanted) {
    const auto found = offloads_.find({one.plugin, one.key});
    if (found != offloads_.end()) {
      if (!std::exchange(found->second.again, true)) ++offloads_waiting_;
      found->second.again_epoch = one.epoch;
      found->second.again_kind = std::move(one.kind);
      continue;
    }
    start_offload(one.plugin, std::move(one.key), one.epoch, std::move(one.kind));
  }
}

void Shard::start_offload(std::uint32_t plugin, std::string key, std::uint64_t epoch,
                          std::string kind) {
  ProtocolShard& by = *life_->protocols[plugin];
  auto job = std::make_shared<OffloadJob>();
  job->life = life_->number;
  job->id = ++offload_id_;
  job->plugin = plugin;
  job->key = std::move(key);
  job->epoch = epoch;
  job->kind = std::move(kind);
  job->protocol = &by.protocol;
  job->done = [this](std::shared_ptr<OffloadJob> done) { task_done(done); };
  offloads_[{plugin, job->key}].job = job;

  const std::string_view text = job->kind;
  const bool is_work = text.starts_with("work/");
  const std::size_t blank = text.find(' ');
  if (!is_work && blank != std::string_view::npos) {
    job->assignor = space_.assignors->find(text.substr(0, blank), text.substr(blank + 1));
  }
  muster_code code = MUSTER_INTERNAL;
  if (!is_work && job->assignor == nullptr) {
    job->why = "no such assignor";
  } else if (is_work && !offers(by.protocol.table, &muster_group_protocol_v1::work)) {
    job->why = "it has no work slot";
  } else if (offers(by.protocol.table, &muster_group_protocol_v1::task_input)) {
    code = guarded(nullptr, [&] {
      return by.protocol.table->task_input(by.object, to_abi(std::string_view(job->key)), epoch,
                                           to_abi(text), job->input.sink());
    });
    if (!is_work && code == MUSTER_OK && !job->input.partitions()) code = MUSTER_INTERNAL;
  }
  if (code != MUSTER_OK) {
    if (job->why.empty()) job->why = "task_input gave no input";
    job->outcome = code;
    task_done(job);
    return;
  }
  job->deadline_ms = space_.clock->monotonic_ms() + space_.limits.assignor_deadline_ms;
  tokens_.arm(TokenKey{TokenKind::offload, plugin, job->id}, job->deadline_ms);
  ask_for_wake();
  space_.executor->run(std::move(job));
}

void Shard::task_done(const std::shared_ptr<OffloadJob>& job) {
  enqueue(Lane::ordinary, [this, job] { finish_offload(job); });
}

void Shard::finish_offload(const std::shared_ptr<OffloadJob>& job) {
  if (std::erase(left_jobs_, job) != 0) {
    tokens_.cancel(TokenKey{TokenKind::offload, job->plugin, job->id});
  }
  if (!life_ || life_->number != job->life || state_ != State::active) return;
  const auto found = offloads_.find({job->plugin, job->key});
  if (found == offloads_.end() || found->second.job != job) return;  // written off
  const OffloadState state = std::move(found->second);
  offloads_.erase(found);
  if (state.again) --offloads_waiting_;
  tokens_.cancel(TokenKey{TokenKind::offload, job->plugin, job->id});

  ProtocolShard& by = *life_->protocols[job->plugin];
  if (job->outcome != MUSTER_OK) misbehaved(by, job->kind, job->why);
  if (job->assignor != nullptr && job->started() &&
      AssignorSet::report(*job->assignor, job->outcome == MUSTER_OK)) {
    space_.observer->log(MUSTER_LOG_ERROR,
                         "assignor '" + job->assignor->name + "' is quarantined after " +
                             std::to_string(AssignorSet::faults_max) + " faults in a row");
  }
  const std::uint64_t number = life_->number;
  if (offers(by.protocol.table, &muster_group_protocol_v1::on_task)) {
    run_slot(by, "on_task", [&](const muster_decision* decision, const muster_error_sink* error) {
      return by.protocol.table->on_task(by.object, to_abi(std::string_view(job->key)), job->epoch,
                                        to_abi(std::string_view(job->kind)), job->outcome,
                                        job->result(), decision, error);
    });
  }
  if (!life_ || life_->number != number || !state.again) return;
  if (offloads_.contains({job->plugin, job->key})) return;  // on_task asked for it itself
  start_offload(job->plugin, job->key, state.again_epoch, state.again_kind);
}

void Shard::offload_late(std::uint64_t id) {
  for (auto& [key, state] : offloads_) {
    if (state.job->id != id) continue;
    // The worker may still write into the late job; the shard goes on with a stand-in that failed.
    const std::shared_ptr<OffloadJob> failed = state.job->stand_in();
    space_.executor->abandon(std::exchange(state.job, failed));
    finish_offload(failed);
    return;
  }
  const auto left = std::ranges::find(left_jobs_, id, &OffloadJob::id);
  if (left == left_jobs_.end()) return;
  space_.executor->abandon(*left);
  left_jobs_.erase(left);
}

// A closed life forgets its offloads, but their workers are still owed: one that hangs must be
// replaced, or the pool would lose it for good.
void Shard::leave_offloads() {
  offloads_waiting_ = 0;
  for (auto& [key, state] : std::exchange(offloads_, {})) {
    if (state.job->deadline_ms == 0) continue;  // no worker was asked
    tokens_.arm(TokenKey{TokenKind::offload, state.job->plugin, state.job->id},
                state.job->deadline_ms);
    left_jobs_.push_back(std::move(state.job));
  }
}

}  // namespace muster::host
