// One shard: a serial queue over the state of its groups (docs/architecture.md, "the runtime").
//
// Threads: the public part is [any]. Everything else runs in the shard's turn: by the thread that
// brought an event if the shard was free, else by the thread inside. No lock is held while a plugin
// runs.
#pragma once

#include <deque>
#include <mutex>
#include <unordered_set>

#include "runtime/due_times.hpp"
#include "runtime/kafka_error.hpp"
#include "runtime/life.hpp"
#include "runtime/offload.hpp"
#include "runtime/stored_request.hpp"

namespace muster::host {

class Shard {
 public:
  Shard(const SpaceContext& space, std::uint32_t index);
  ~Shard();
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;

  void submit(const muster_request& request, const ApiClaimants& api, ReplyTo to);
  void gained(std::uint64_t epoch);
  void lost();
  void metadata_changed(std::shared_ptr<const MetadataChange> change);
  void disconnected(std::uint64_t connection);
  void wake();                      // the time asked for by Executor::wake_at has come
  void paused(std::int64_t by_ms);  // the process was stopped that long: sessions did not run
  void drain();                     // refuses everything that waits; new requests are refused too
  // [any] For the metrics: whether its limit of uncommitted batches holds its queue back; offloads
  // that wait for the running one of their key.
  bool stalled() const { return stalled_.load(std::memory_order_relaxed); }
  std::uint32_t offloads_waiting() const { return offloads_waiting_; }
  bool active() const { return state_.load(std::memory_order_acquire) == State::active; }
  std::uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }

  // Text of the digest part of every protocol, for tests and for the load check. In the shard's
  // turn or when idle.
  Buffer digest(std::int32_t part);

 private:
  enum class State : std::uint8_t { absent, loading, active, waiting, draining };
  enum class Lane : std::uint8_t { urgent, ordinary };

  // A busy shard must not starve the connections of the thread that happens to be inside.
  static constexpr int events_per_turn = 64;

  // A token of a plugin: a parked request, an outstanding call or a running offload.
  enum class TokenKind : std::uint8_t { parked, call, offload };
  struct TokenKey {
    TokenKind kind;
    std::uint32_t plugin;
    std::uint64_t token;
    bool operator==(const TokenKey&) const = default;
  };
  struct TokenHash {
    std::size_t operator()(const TokenKey& key) const {
      return (key.token * 0x9E3779B97F4A7C15u) ^ (key.plugin * 4 + static_cast<unsigned>(key.kind));
    }
  };
  struct TimerKey {
    std::uint32_t plugin;
    std::string key;
  };
  struct TimerRef {
    std::uint32_t plugin;
    std::string_view key;
    TimerRef(std::uint32_t its_plugin, std::string_view its_key)
        : plugin(its_plugin), key(its_key) {}
    TimerRef(const TimerKey& timer) : plugin(timer.plugin), key(timer.key) {}  // NOLINT: a view
    explicit operator TimerKey() const { return {plugin, std::string(key)}; }
  };
  struct TimerHash {
    using is_transparent = void;
    std::size_t operator()(const TimerRef& timer) const {
      return TextHash{}(timer.key) * 31 + timer.plugin;
    }
  };
  struct TimerEqual {
    using is_transparent = void;
    bool operator()(const TimerRef& a, const TimerRef& b) const {
      return a.plugin == b.plugin && a.key == b.key;
    }
  };

  struct Parked {
    PendingRequest request;
    const ApiClaimants* api;
  };
  struct Call {
    std::uint32_t plugin;
    std::uint64_t token;
    InternalCall request;
  };
  // Which call a reply belongs to.
  struct CallId {
    std::uint64_t life;
    std::uint32_t plugin;
    std::uint64_t token;
  };
  // What waits for a batch: an answer, or a call.
  struct Held {
    std::uint64_t batch;
    Parked answered;
    OwnedAnswer answer;
    std::optional<Call> call;
    std::uint64_t close_connection = 0;
  };
  struct OffloadState {
    std::shared_ptr<OffloadJob> job;
    bool again = false;
    std::uint64_t again_epoch = 0;
    std::string again_kind;
  };
  // A batch that is not durable yet, or is and waits for those before it.
  struct Uncommitted {
    std::int64_t started_ms = 0;
    std::size_t bytes = 0;
    std::vector<MirrorRecord> mirrored;
    bool is_done = false;
  };
  struct CommitToken;
  using SlotCall = muster_code (*)(const void*, const muster_decision*, const muster_error_sink*);

  // The queue (shard_queue.cpp).
  bool enter();
  void leave();
  void enqueue(Lane lane, Task task);
  void run_queue();
  bool take(Task& task);

  // One event (shard_decide.cpp).
  void handle(PendingRequest pending, const ApiClaimants& api);
  // Runs one slot that has no request and applies what it decided. False: it failed, or the shard
  // did.
  template <class Slot>
  bool run_slot(ProtocolShard& by, const char* name, const Slot& slot) {
    const SlotCall call = [](const void* context, const muster_decision* decision,
                             const muster_error_sink* error) {
      return (*static_cast<const Slot*>(context))(decision, error);
    };
    return run_slot(by, name, &slot, call);
  }
  bool run_slot(ProtocolShard& by, const char* name, const void* context, SlotCall call);
  muster_code call_slot(ProtocolShard& by, const char* name, const void* context, SlotCall call);
  void decide(ProtocolShard& by, PendingRequest pending, const ApiClaimants& api);
  // `owner`: who owns the id but does not serve this request, or GroupDirectory::nobody.
  void decide_as_creator(PendingRequest pending, const ApiClaimants& api, int owner);
  bool acceptable(const ProtocolShard& by, const char* slot);
  bool apply();
  bool replay_decision();
  bool hand_over();
  void refuse(const PendingRequest& pending, const ApiClaimants& api, Error error,
              std::string_view why);
  std::pair<Error, std::string_view> state_refusal() const;
  void misbehaved(const ProtocolShard& by, std::string_view slot, std::string_view why);

  // What a decision starts (shard_effects.cpp).
  void start_effects(const muster_request* caller);
  void start_timers();
  void park(ProtocolShard& by, PendingRequest pending, const ApiClaimants& api);
  void renew_parks();
  void complete_parked();
  void start_calls(const muster_request* caller);
  void send_call(Call call);
  void close_connections();
  void on_reply(const CallId& id, OwnedAnswer answer, Error error);
  void fire_due();
  void fire_token(const TokenKey& key);
  void ask_for_wake();

  // Offloads (shard_offload.cpp).
  void start_offloads();
  void start_offload(std::uint32_t plugin, std::string key, std::uint64_t epoch, std::string kind);
  void task_done(const std::shared_ptr<OffloadJob>& job);
  void finish_offload(const std::shared_ptr<OffloadJob>& job);
  void offload_late(std::uint64_t id);
  void leave_offloads();

  // Durability (shard_commit.cpp).
  bool durable() const { return durable_batch_ == queued_batch_; }
  void commit();
  std::vector<MirrorRecord> mirrored() const;
  static void commit_done(void* owner, muster_code code);
  void committed(std::unique_ptr<CommitToken> token);
  void answer(PendingRequest pending, const ApiClaimants& api, Answer answer);
  void release_held();
  void fail(muster_code code, std::string_view why);

  // Loading (shard_load.cpp).
  void start_load();
  void loaded(std::shared_ptr<Life> life, const LoadResult& result);
  void close_life(Error error, std::string_view why);

  const SpaceContext& space_;
  const std::uint32_t index_;

  std::mutex mutex_;
  std::deque<Task> urgent_;
  std::deque<Task> ordinary_;
  // Whether a thread is inside, and whether it must look into the queues before it leaves.
  enum class Turn : std::uint8_t { idle, inside, queued };
  std::atomic<Turn> turn_{Turn::idle};
  std::atomic<bool> stalled_{false};  // too much uncommitted: ordinary events wait

  std::atomic<State> state_{State::absent};
  std::atomic<std::uint64_t> epoch_{0};
  std::uint64_t life_number_ = 0;
  std::shared_ptr<Life> life_;
  std::int64_t reload_at_ = no_deadline;
  std::int64_t reload_after_ms_ = 0;

  DueTimes<TimerKey, TimerHash, TimerEqual> timers_;
  DueTimes<TokenKey, TokenHash, std::equal_to<>> tokens_;
  std::int64_t wake_asked_ = no_deadline;
  std::unordered_map<TokenKey, Parked, TokenHash> parked_;
  std::unordered_set<TokenKey, TokenHash> calls_;
  std::map<std::pair<std::uint32_t, std::string>, OffloadState> offloads_;
  std::vector<std::shared_ptr<OffloadJob>> left_jobs_;  // of closed lives, with a worker
  std::uint64_t offload_id_ = 0;
  std::atomic<std::uint32_t> offloads_waiting_{0};

  std::deque<Held> held_;
  std::vector<muster_record> batch_;
  std::uint64_t queued_batch_ = 0;
  std::uint64_t durable_batch_ = 0;
  std::size_t uncommitted_bytes_ = 0;
  std::deque<Uncommitted> uncommitted_;  // from durable_batch_ + 1 to queued_batch_
};

}  // namespace muster::host
