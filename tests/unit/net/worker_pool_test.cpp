// WorkerPool: order, and what becomes of workers that hang.
#include "net/worker_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <semaphore>
#include <thread>

namespace muster::host {
namespace {

class Does : public Job {
 public:
  explicit Does(std::function<void()> what) : what_(std::move(what)) {}
  void run() override { what_(); }

 private:
  std::function<void()> what_;
};

std::shared_ptr<Job> job(std::function<void()> what) {
  return std::make_shared<Does>(std::move(what));
}

// A job that has started and hangs until it is let go.
class Hanging : public Job {
 public:
  void run() override {
    started_.release();
    go_.acquire();
  }
  void wait_started() { started_.acquire(); }
  void let_go() { go_.release(); }

 private:
  std::binary_semaphore started_{0};
  std::binary_semaphore go_{0};
};

std::ptrdiff_t threads() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

// Threads of an earlier test may still be ending: each starts when they are gone. A sanitizer has
// one of its own once there has been another.
std::ptrdiff_t threads_at_start() {
  static const std::ptrdiff_t count = [] {
    std::thread([] {}).join();
    std::ptrdiff_t fewest = threads();
    for (int i = 0; i < 100; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      fewest = std::min(fewest, threads());
    }
    return fewest;
  }();
  return count;
}

class WorkerPoolTest : public ::testing::Test {
 protected:
  void SetUp() override {
    while (threads() != threads_at_start()) std::this_thread::yield();
  }
};

TEST_F(WorkerPoolTest, JobsOfOneWorkerRunInTheOrderTheyWereGiven) {
  std::vector<int> order;
  std::promise<void> done;
  WorkerPool pool(1);
  for (int i = 0; i < 100; ++i) pool.run(job([&order, i] { order.push_back(i); }));
  pool.run(job([&] { done.set_value(); }));
  done.get_future().wait();
  ASSERT_EQ(order.size(), 100u);
  EXPECT_TRUE(std::ranges::is_sorted(order));
}

TEST_F(WorkerPoolTest, ItsEndWaitsForARunningJob) {
  const auto hanging = std::make_shared<Hanging>();
  std::atomic<bool> finished = false;
  std::thread release;
  {
    WorkerPool pool(1);
    pool.run(job([&] {
      hanging->run();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      finished = true;
    }));
    hanging->wait_started();
    release = std::thread([hanging] { hanging->let_go(); });
  }
  EXPECT_TRUE(finished);
  release.join();
}

TEST_F(WorkerPoolTest, AnAbandonedWorkerIsReplacedAndItsSuccessorTakesTheQueue) {
  const auto hanging = std::make_shared<Hanging>();
  std::promise<void> done;
  {
    WorkerPool pool(1);
    pool.run(hanging);
    hanging->wait_started();
    pool.run(job([&] { done.set_value(); }));
    pool.abandon(hanging);
    done.get_future().wait();
    hanging->let_go();
  }
}

TEST_F(WorkerPoolTest, ItsEndWaitsForAWorkerThatWasWrittenOff) {
  const auto hanging = std::make_shared<Hanging>();
  std::atomic<bool> finished = false;
  std::thread release;
  {
    WorkerPool pool(1);
    const auto late = job([&] {
      hanging->run();
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      finished = true;
    });
    pool.run(late);
    hanging->wait_started();
    pool.abandon(late);
    release = std::thread([hanging] { hanging->let_go(); });
  }
  EXPECT_TRUE(finished);
  release.join();
}

TEST_F(WorkerPoolTest, AWrittenOffWorkerThatComesBackIsNotCountedAnyMore) {
  WorkerPool pool(1);
  const auto before = threads();
  for (std::size_t i = 0; i < 3 * WorkerPool::written_off_max; ++i) {
    const auto hanging = std::make_shared<Hanging>();
    pool.run(hanging);
    hanging->wait_started();
    pool.abandon(hanging);
    EXPECT_EQ(pool.written_off(), 1u);
    EXPECT_EQ(threads(), before + 1) << i;
    hanging->let_go();
    while (pool.written_off() != 0 || threads() != before) std::this_thread::yield();
  }
}

TEST_F(WorkerPoolTest, OneThatNobodyReplacedWorksAgainWhenItComesBack) {
  std::vector<std::shared_ptr<Hanging>> all;
  std::promise<void> done;
  WorkerPool pool(1);
  for (std::size_t i = 0; i <= WorkerPool::written_off_max; ++i) {
    all.push_back(std::make_shared<Hanging>());
    pool.run(all.back());
    all.back()->wait_started();
    pool.abandon(all.back());
  }
  pool.run(job([&] { done.set_value(); }));
  all.back()->let_go();
  done.get_future().wait();
  all.pop_back();
  for (const auto& one : all) one->let_go();
}

TEST_F(WorkerPoolTest, AfterItsStopNothingIsStartedAndNobodyIsReplaced) {
  std::atomic<bool> ran = false;
  WorkerPool pool(2);
  const auto last = job([&] { ran = true; });
  pool.stop();
  pool.run(last);
  pool.abandon(last);
  pool.stop();
  EXPECT_FALSE(ran);
  EXPECT_EQ(threads(), threads_at_start());
}

TEST_F(WorkerPoolTest, AJobThatIsAbandonedInTheQueueNeverRuns) {
  const auto hanging = std::make_shared<Hanging>();
  std::atomic<bool> ran = false;
  std::promise<void> done;
  WorkerPool pool(1);
  pool.run(hanging);
  hanging->wait_started();
  const auto queued = job([&] { ran = true; });
  pool.run(queued);
  pool.run(job([&] { done.set_value(); }));
  pool.abandon(queued);
  hanging->let_go();
  done.get_future().wait();
  EXPECT_FALSE(ran);
}

TEST_F(WorkerPoolTest, AbandoningTwiceReplacesOnce) {
  const auto hanging = std::make_shared<Hanging>();
  WorkerPool pool(1);
  pool.run(hanging);
  hanging->wait_started();
  const auto before = threads();
  pool.abandon(hanging);
  pool.abandon(hanging);
  EXPECT_EQ(threads(), before + 1);
  hanging->let_go();
}

TEST_F(WorkerPoolTest, NoMoreThanEightWorkersAreReplaced) {
  std::vector<std::shared_ptr<Hanging>> all;
  WorkerPool pool(1);
  const auto before = threads();
  for (std::size_t i = 0; i <= WorkerPool::written_off_max; ++i) {
    all.push_back(std::make_shared<Hanging>());
    pool.run(all.back());
    all.back()->wait_started();
    pool.abandon(all.back());
    const auto replaced = std::min(i + 1, WorkerPool::written_off_max);
    EXPECT_EQ(threads(), before + static_cast<std::ptrdiff_t>(replaced)) << i;
  }
  for (const auto& one : all) one->let_go();
}

}  // namespace
}  // namespace muster::host
