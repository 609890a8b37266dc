// The order of a shard's batches is the order in which `add` is called for it.
#include "commit_queue.hpp"

#include <new>
#include <utility>

#include "faults.hpp"
#include "keys.hpp"

namespace muster::rocks_store {
namespace {

// What a batch may keep for the next one.
constexpr std::size_t most_kept_bytes = std::size_t{1} << 20;
// What a start may have to read back. A memtable that is written over in place is never full, so
// its log would grow for ever; and the database's own bound of it does not hold for a database of
// one column family.
constexpr std::size_t most_logged_bytes = std::size_t{16} << 20;

rocksdb::Slice slice(std::string_view text) { return {text.data(), text.size()}; }

std::uint64_t size_of(const sdk::Records& records) {
  std::uint64_t size = 0;
  for (const sdk::Record record : records) {
    size += record.key.size() + (record.value ? record.value->size() : 0);
  }
  return size;
}

rocksdb::Status put(rocksdb::WriteBatch& into, const CommitState& state, const sdk::Record& record,
                    std::uint64_t sequence) {
  const rocksdb::Slice key[] = {slice(state.prefix), slice(sdk::as_text(record.key))};
  if (!record.value) return into.Delete({key, 2});
  const auto number = sequence_text(sequence);
  const rocksdb::Slice value[] = {{number.data(), number.size()},
                                  slice(sdk::as_text(*record.value))};
  return into.Put({key, 2}, {value, 2});
}

}  // namespace

CommitQueue::CommitQueue(rocksdb::DB& database, const CommitSettings& settings,
                         std::function<void(const rocksdb::Status&)> report)
    : database_(database), max_batch_bytes_(settings.max_batch_bytes), report_(std::move(report)) {
  options_.sync = settings.sync;
  thread_ = std::thread([this] { run(); });
}

CommitQueue::~CommitQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  more_.notify_one();
  thread_.join();
}

void CommitQueue::add(CommitState& state, const sdk::Batch& batch, sdk::CommitDone done) {
  muster_code code = MUSTER_OK;
  {
    const std::lock_guard lock(mutex_);
    code = check(state, batch);
    if (code == MUSTER_OK) code = append(state, batch, done);
  }
  if (code == MUSTER_OK) {
    more_.notify_one();
  } else {
    done(code);
  }
}

muster_code CommitQueue::check(CommitState& state, const sdk::Batch& batch) const {
  if (batch.life.epoch < state.epoch) return MUSTER_FENCED;
  if (state.failed) return MUSTER_UNAVAILABLE;
  const bool legal = batch.life.epoch == state.epoch && batch.sequence >= state.next_sequence &&
                     size_of(batch.records) <= max_batch_bytes_;
  if (legal) return MUSTER_OK;
  state.failed = true;
  return MUSTER_INVALID_ARGUMENT;
}

// All of the batch, or, whatever is thrown or refused, nothing of it.
muster_code CommitQueue::append(CommitState& state, const sdk::Batch& batch,
                                sdk::CommitDone& done) {
  state.failed = true;
  filling_.waiters.push_back({&state, sdk::CommitDone(nullptr, nullptr)});
  filling_.batch.SetSavePoint();
  rocksdb::Status status;
  std::uint64_t sequence = batch.sequence;
  try {
    for (const sdk::Record record : batch.records) {
      status = put(filling_.batch, state, record, sequence++);
      if (!status.ok()) break;
    }
  } catch (const std::bad_alloc&) {
    status = rocksdb::Status::MemoryLimit();
  }
  if (!status.ok()) {
    (void)filling_.batch.RollbackToSavePoint();
    filling_.waiters.pop_back();
    return code_of(status);
  }
  (void)filling_.batch.PopSavePoint();
  filling_.waiters.back().done = std::move(done);
  ++state.under_way;
  state.next_sequence = sequence;
  state.failed = false;
  return MUSTER_OK;
}

void CommitQueue::start_life(CommitState& state, std::uint64_t epoch) {
  const std::lock_guard lock(mutex_);
  state.epoch = epoch;
}

muster_code CommitQueue::begin_load(CommitState& state, std::uint64_t epoch) {
  std::unique_lock lock(mutex_);
  if (epoch > state.epoch) return MUSTER_INVALID_ARGUMENT;
  if (epoch < state.epoch) return MUSTER_FENCED;
  // So that nothing comes behind what is under way.
  state.failed = true;
  idle_.wait(lock, [&] { return state.under_way == 0; });
  return epoch < state.epoch ? MUSTER_FENCED : MUSTER_OK;
}

void CommitQueue::end_load(CommitState& state, std::uint64_t epoch, std::uint64_t next_sequence) {
  const std::lock_guard lock(mutex_);
  if (epoch != state.epoch) return;
  state.next_sequence = next_sequence;
  state.failed = false;
}

void CommitQueue::run() {
  Group group;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      more_.wait(lock, [this] { return stopping_ || !filling_.waiters.empty(); });
      if (filling_.waiters.empty()) return;
      std::swap(group, filling_);
    }
    write(group);
    if (group.batch.Data().capacity() > most_kept_bytes) group.batch = rocksdb::WriteBatch();
    group.batch.Clear();
    group.waiters.clear();
  }
}

void CommitQueue::write(Group& group) {
  rocksdb::Status status;
  try {
    status = database_.Write(options_, &group.batch);
  } catch (const std::bad_alloc&) {
    status = rocksdb::Status::MemoryLimit();
  }
  if (!status.ok()) {
    fail(group, status);
    return;
  }
  const std::size_t bytes = group.batch.GetDataSize();
  answer(group, MUSTER_OK);
  flush_if_due(bytes);
}

// A failure stops the database, so the next write tells of it.
void CommitQueue::flush_if_due(std::size_t written_bytes) {
  logged_bytes_ += written_bytes;
  if (logged_bytes_ < most_logged_bytes) return;
  logged_bytes_ = 0;
  rocksdb::FlushOptions in_background;
  in_background.wait = false;
  in_background.allow_write_stall = true;
  (void)database_.Flush(in_background);
}

// What was added meanwhile must not land behind what failed, so it fails as well.
void CommitQueue::fail(Group& group, const rocksdb::Status& status) {
  Group later;
  {
    const std::lock_guard lock(mutex_);
    std::swap(later, filling_);
    for (const Group* one : {&group, &later}) {
      for (const Waiter& waiter : one->waiters) waiter.state->failed = true;
    }
  }
  report_(status);
  answer(group, code_of(status));
  answer(later, code_of(status));
}

// Answered before they count as idle: a load begins when nobody is owed anything.
void CommitQueue::answer(Group& group, muster_code code) {
  for (Waiter& waiter : group.waiters) waiter.done(code);
  {
    const std::lock_guard lock(mutex_);
    for (const Waiter& waiter : group.waiters) --waiter.state->under_way;
  }
  idle_.notify_all();
}

}  // namespace muster::rocks_store
