#include "net/io_pool.hpp"

#include "net/io_contexts.hpp"
#include "net/worker_pool.hpp"
#include "runtime/shard.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>

#include <chrono>
#include <queue>
#include <thread>

namespace muster::host {
namespace {

constexpr std::int64_t tick_ms = 500;
constexpr std::int64_t pause_ms_min = 1000;

}  // namespace

std::int64_t SystemClock::wall_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::int64_t SystemClock::monotonic_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

struct IoPool::Impl {
  Impl(std::size_t thread_count, std::size_t worker_count, Clock& its_clock)
      : clock(its_clock),
        contexts(thread_count),
        timer(contexts.all.front()),
        workers(worker_count) {}

  struct Wake {
    std::int64_t at;
    Shard* shard;
    bool operator>(const Wake& other) const { return at > other.at; }
  };

  void arm();
  void fired();

  Clock& clock;
  IoContexts contexts;
  boost::asio::steady_timer timer;  // used on the first context's thread only
  std::int64_t armed_for = 0;
  std::mutex mutex;
  std::priority_queue<Wake, std::vector<Wake>, std::greater<>> wakes;
  std::atomic<std::int64_t> asked{no_deadline};  // the time the timer is set to, or about to be
  std::function<void(std::int64_t)> paused;
  std::vector<std::thread> threads;
  WorkerPool workers;
};

IoPool::IoPool(std::size_t threads, std::size_t workers, Clock& clock)
    : impl_(std::make_unique<Impl>(threads, workers, clock)) {}

IoPool::~IoPool() { stop(); }

IoContexts& IoPool::contexts() { return impl_->contexts; }

void IoPool::on_pause(std::function<void(std::int64_t)> callback) {
  impl_->paused = std::move(callback);
}

void IoPool::start() {
  boost::asio::post(impl_->contexts.all.front(), [impl = impl_.get()] { impl->arm(); });
  for (auto& context : impl_->contexts.all) {
    impl_->threads.emplace_back([&context] {
      IoContexts::current() = &context;
      context.run();
    });
  }
}

void IoPool::stop() {
  for (auto& context : impl_->contexts.all) context.stop();
  for (auto& thread : impl_->threads) thread.join();
  impl_->threads.clear();
  impl_->workers.stop();
}

std::size_t IoPool::workers_written_off() const { return impl_->workers.written_off(); }

void IoPool::post(Task task) {
  boost::asio::io_context* const mine = IoContexts::current();
  auto& context = mine != nullptr ? *mine : impl_->contexts.next();
  boost::asio::post(context, [kept = std::move(task)]() mutable { kept(); });
}

void IoPool::run(std::shared_ptr<Job> job) { impl_->workers.run(std::move(job)); }

void IoPool::abandon(const std::shared_ptr<Job>& job) { impl_->workers.abandon(job); }

void IoPool::wake_at(Shard& shard, std::int64_t monotonic_ms) {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->wakes.push({monotonic_ms, &shard});
  }
  if (monotonic_ms >= impl_->asked.load(std::memory_order_relaxed)) return;
  boost::asio::post(impl_->contexts.all.front(), [impl = impl_.get()] { impl->arm(); });
}

// On the first context's thread.
void IoPool::Impl::arm() {
  std::int64_t at = clock.monotonic_ms() + tick_ms;
  {
    const std::lock_guard lock(mutex);
    if (!wakes.empty()) at = std::min(at, wakes.top().at);
    asked = at;
  }
  armed_for = at;
  timer.expires_at(std::chrono::steady_clock::time_point(std::chrono::milliseconds(at)));
  timer.async_wait([this](const boost::system::error_code& error) {
    if (!error) fired();
  });
}

void IoPool::Impl::fired() {
  const std::int64_t now = clock.monotonic_ms();
  if (now - armed_for > pause_ms_min && paused) paused(now - armed_for);
  for (;;) {
    Shard* shard = nullptr;
    {
      const std::lock_guard lock(mutex);
      if (wakes.empty() || wakes.top().at > now) break;
      shard = wakes.top().shard;
      wakes.pop();
    }
    shard->wake();
  }
  arm();
}

}  // namespace muster::host
