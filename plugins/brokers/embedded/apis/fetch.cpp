// Fetch. Answers at once with what is there, or waits until enough arrived or time is up.
#include "apis/fetch_answer.hpp"
#include "apis/fetch_plan.hpp"
#include "apis/handlers.hpp"

#include <atomic>
#include <mutex>
#include <utility>

#include <muster/protocol/messages/fetch_response.hpp>

namespace muster::embedded {
namespace {

// One fetch that waits. Answers once, on the thread of whatever ended the wait.
class FetchWait final : public Waiting,
                        public ParkedFetch,
                        public std::enable_shared_from_this<FetchWait> {
 public:
  FetchWait(Core& core, std::uint64_t connection, FetchPlan plan, sdk::Answer answer)
      : ParkedFetch(connection,
                    std::chrono::steady_clock::now() + std::chrono::milliseconds(plan.max_wait_ms)),
        core_(core),
        plan_(std::move(plan)),
        answer_(std::move(answer)) {}

  // `first` is what was read before it was decided to wait.
  void start(const FetchReads& first) {
    collect_slots(first);
    missing_ = plan_.min_bytes - first.bytes;
    core_.waits.park(shared_from_this());
    bool moved = false;
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      Partition& partition = *slots_[i].partition;
      partition.arrivals().add(shared_from_this(), i);
      // What was appended between the first look and now was announced to nobody.
      moved |= partition.closed() || partition.offsets().end != slots_[i].seen_end;
    }
    if (moved) attempt();
    // Whoever ended the wait meanwhile may have been faster than the loop above.
    const std::lock_guard lock(mutex_);
    if (done_) unregister();
  }

  bool arrived(std::size_t slot, std::int64_t bytes) override {
    Slot& at = slots_[slot];
    // More than a partition may give does not count.
    const std::int64_t counted = std::min(bytes, std::max<std::int64_t>(0, at.room));
    at.room -= counted;
    return missing_.fetch_sub(counted) <= counted;
  }

  void attempt() override {
    std::unique_lock lock(mutex_);
    if (done_) return;
    // The count was an estimate: if it was wrong, every later arrival looks again.
    missing_ = 0;
    FetchReads reads = read_all(plan_);
    if (satisfied(plan_, reads)) finish(lock, std::move(reads));
  }

  bool expire_empty() override {
    std::unique_lock lock(mutex_);
    if (done_) return true;
    if (needs_reading(plan_)) return false;
    finish(lock, read_all(plan_));
    return true;
  }

  void expire() override {
    std::unique_lock lock(mutex_);
    if (!done_) finish(lock, read_all(plan_));
  }

  void abandon() override {
    std::unique_lock lock(mutex_);
    if (std::exchange(done_, true)) return;
    unregister();
    lock.unlock();
    answer_.close();
  }

 private:
  struct Slot {
    std::shared_ptr<Partition> partition;
    std::int64_t seen_end = 0;
    std::int64_t room = 0;  // guarded by the lock of the partition's arrivals
  };

  void collect_slots(const FetchReads& first) {
    std::size_t next = 0;
    for (const PlannedTopic& topic : plan_.topics) {
      for (const PlannedPartition& asked : topic.partitions) {
        const PartitionRead& read = first.partitions[next++];
        if (asked.partition == nullptr) continue;
        slots_.push_back({asked.partition, read.offsets.end, asked.max_bytes - read.size});
      }
    }
  }

  void finish(std::unique_lock<std::mutex>& lock, FetchReads reads) {
    done_ = true;
    unregister();
    lock.unlock();
    if (!reads.fault.empty()) core_.host.error("a log could not be read: ", reads.fault);
    send(make_fetch_body(plan_, std::move(reads)), answer_);
  }

  void unregister() {
    core_.waits.remove(*this);
    for (const Slot& slot : slots_) slot.partition->arrivals().remove(*this);
  }

  Core& core_;
  const FetchPlan plan_;
  std::vector<Slot> slots_;
  std::atomic<std::int64_t> missing_{0};

  std::mutex mutex_;
  bool done_ = false;
  sdk::Answer answer_;  // of whoever set done_
};

// Sessions are never made, so an id can only be wrong.
bool names_session(const protocol::FetchRequest& body) {
  constexpr std::int32_t full_with_session = 0;
  constexpr std::int32_t full_without_session = -1;
  return body.session_epoch != full_with_session && body.session_epoch != full_without_session;
}

}  // namespace

void handle_fetch(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<protocol::FetchRequest>(request.body(), request.version());
  if (!body) return answer.close();
  if (names_session(*body)) {
    protocol::FetchResponse refused;
    refused.error_code = protocol::code(Error::fetch_session_id_not_found);
    return reply(request, answer, refused);
  }
  FetchPlan plan = plan_fetch(core, request, *body);
  FetchReads reads = read_all(plan);
  if (!reads.fault.empty()) core.host.error("a log could not be read: ", reads.fault);
  if (plan.max_wait_ms <= 0 || plan.tried == 0 || satisfied(plan, reads)) {
    return send(make_fetch_body(plan, std::move(reads)), answer);
  }
  std::make_shared<FetchWait>(core, request.connection(), std::move(plan), std::move(answer))
      ->start(reads);
}

}  // namespace muster::embedded
