// The serial queue of a shard under many threads: nothing is lost, nothing runs twice, nothing runs
// side by side. The scripted protocol is not thread-safe, so a thread sanitizer sees the latter.
#include <atomic>
#include <condition_variable>
#include <thread>

#include "unit/runtime/runtime_rig.hpp"

namespace muster::testing {
namespace {

// Runs what it is given, in order, on a thread of its own.
class Worker {
 public:
  ~Worker() {
    give(nullptr);
    thread_.join();
  }
  void give(host::Task task) {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
    changed_.notify_one();
  }

 private:
  void work() {
    for (;;) {
      host::Task task;
      {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return !tasks_.empty(); });
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      if (!task) return;
      task();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<host::Task> tasks_;
  std::thread thread_{[this] { work(); }};
};

class ThreadedExecutor : public host::Executor {
 public:
  void post(host::Task task) override { worker_.give(std::move(task)); }
  void run(std::shared_ptr<host::Job> job) override {
    worker_.give([job] { job->run(); });
  }
  void abandon(const std::shared_ptr<host::Job>&) override {}
  void wake_at(host::Shard&, std::int64_t) override {}

 private:
  Worker worker_;
};

// Half of the batches are durable at once, the others when another thread comes to it.
struct ThreadedStore {
  ThreadedStore() {
    table.struct_size = sizeof table;
    table.open = [](void*, muster_str space, std::uint32_t, const muster_store_events* events,
                    const muster_error_sink*) {
      events->gained(events->self, space, 0, 1);
      return muster_code{MUSTER_OK};
    };
    table.load = [](void*, muster_str, std::uint32_t, std::uint64_t, const muster_record_sink*,
                    const muster_error_sink*) { return muster_code{MUSTER_OK}; };
    table.commit = [](void* self, muster_str, std::uint32_t, std::uint64_t, std::uint64_t sequence,
                      const muster_record*, std::uint32_t, void (*done)(void*, muster_code),
                      void* owner) {
      auto& store = *static_cast<ThreadedStore*>(self);
      if (sequence % 2 == 0 && store.waiting == 0) {
        done(owner, MUSTER_OK);
        return;
      }
      ++store.waiting;
      store.disk.give([&store, done, owner] {
        --store.waiting;
        done(owner, MUSTER_OK);
      });
    };
  }

  muster_store_v1 table{};
  std::atomic<int> waiting{0};
  Worker disk;
};

// Counts the answers of each slot.
class Counter : public host::AnswerSink {
 public:
  explicit Counter(std::size_t slots) : times(slots) {}
  void deliver(std::uint64_t slot, host::Answer answer) override {
    if (std::string(answer.body.begin(), answer.body.end()) != "ok") ++wrong;
    ++times[slot];
    if (++answered == times.size()) answered.notify_all();
  }
  void wait_for_all() {
    for (auto seen = answered.load(); seen < times.size(); seen = answered.load()) {
      answered.wait(seen);
    }
  }

  std::vector<std::atomic<int>> times;
  std::atomic<std::size_t> answered{0};
  std::atomic<int> wrong{0};
};

struct ThreadsRig {
  ThreadsRig() {
    EXPECT_EQ(protocols.add({"a", a.table(), &a}), "");
    host::SpaceContext context = space_context(*this);
    context.store = &store.table;
    context.limits.uncommitted_bytes = 64;  // the queue waits again and again
    space = std::make_unique<host::Space>(std::move(context));
    EXPECT_EQ(space->open(), "");
    while (!space->shard(0).active()) std::this_thread::yield();
  }
  void send(const std::string& script, const host::ReplyTo& to) {
    muster_request request{};
    request.struct_size = sizeof request;
    request.api_key = 900;
    request.body = {reinterpret_cast<const std::uint8_t*>(script.data()), script.size()};
    request.key = {"g", 1};
    space->shard(0).submit(request, protocols.apis().at(900), to);
  }

  ScriptProtocol a{{0x4000, 900, true}};
  ManualClock clock;
  RecordingCaller caller;
  RecordingObserver observer;
  host::Metadata metadata;
  host::AssignorSet assignors;
  host::ProtocolSet protocols;
  std::atomic<std::uint64_t> ids{0};
  std::unique_ptr<host::Space> space;
  ThreadedExecutor executor;  // the disk's thread may still hand its turn on to it
  ThreadedStore store;
};

TEST(ShardThreads, EachRequestIsAnsweredOnceAndNoneIsForgotten) {
  constexpr std::size_t threads = 4;
  constexpr std::size_t requests = 2000;
  const auto counter = std::make_shared<Counter>(threads * requests);
  ThreadsRig rig;
  std::vector<std::jthread> senders;
  for (std::size_t thread = 0; thread < threads; ++thread) {
    senders.emplace_back([&, thread] {
      const std::string own = std::to_string(thread);
      for (std::size_t i = 0; i < requests; ++i) {
        const bool writes = i % 3 == 0;
        rig.send((writes ? "record k" : "note n") + own + " v\nrespond ok",
                 {counter, thread * requests + i});
        if (i % 64 == 0) rig.space->shard(0).wake();
        if (i % 64 == 32) rig.space->shard(0).disconnected(i);
      }
    });
  }
  counter->wait_for_all();

  EXPECT_EQ(counter->wrong, 0);
  for (const auto& times : counter->times) EXPECT_EQ(times, 1);
}

}  // namespace
}  // namespace muster::testing
