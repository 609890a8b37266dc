// The runtime's ports, run by hand: time moves when a test says so, posted work and jobs run when
// it says so. Single-threaded, no randomness: a test or a simulation decides every order.
#pragma once

#include "runtime/shard.hpp"

#include <algorithm>
#include <deque>
#include <map>

namespace muster::testing {

class ManualClock : public host::Clock {
 public:
  std::int64_t wall_ms() override { return wall_start_ms + now_ms; }
  std::int64_t monotonic_ms() override { return now_ms; }

  static constexpr std::int64_t wall_start_ms = 1'700'000'000'000;
  std::int64_t now_ms = 0;
};

class ManualExecutor : public host::Executor {
 public:
  void post(host::Task task) override { posted.push_back(std::move(task)); }
  void run(std::shared_ptr<host::Job> job) override { jobs.push_back(std::move(job)); }
  void abandon(const std::shared_ptr<host::Job>& job) override {
    std::erase(jobs, job);
    ++abandoned;
  }
  void wake_at(host::Shard& shard, std::int64_t monotonic_ms) override {
    wakes.emplace(monotonic_ms, &shard);
  }

  void run_posted() {
    while (!posted.empty()) {
      host::Task task = std::move(posted.front());
      posted.pop_front();
      task();
    }
  }
  void run_job(std::size_t index = 0) {
    const std::shared_ptr<host::Job> job = jobs.at(index);
    jobs.erase(jobs.begin() + static_cast<std::ptrdiff_t>(index));
    job->run();
  }
  // Everything that can run without time passing.
  void settle() {
    while (!posted.empty() || !jobs.empty()) {
      run_posted();
      if (!jobs.empty()) run_job();
    }
  }
  // Wakes whoever asked for a time up to now.
  void wake_due(std::int64_t now) {
    while (!wakes.empty() && wakes.begin()->first <= now) {
      host::Shard* const shard = wakes.begin()->second;
      wakes.erase(wakes.begin());
      shard->wake();
    }
  }

  std::deque<host::Task> posted;
  std::deque<std::shared_ptr<host::Job>> jobs;
  std::multimap<std::int64_t, host::Shard*> wakes;
  int abandoned = 0;
};

// Keeps answers as text by slot, in the order they came.
class Answers : public host::AnswerSink {
 public:
  void deliver(std::uint64_t slot, host::Answer answer) override {
    std::string text;
    if (answer.kind == host::AnswerKind::shared) {
      for (const muster_bytes& part : answer.shared.parts()) {
        text.append(reinterpret_cast<const char*>(part.data), part.size);
      }
    } else {
      text.assign(answer.body.begin(), answer.body.end());
    }
    if (answer.kind == host::AnswerKind::none) text = "(none)";
    if (answer.kind == host::AnswerKind::close) text = "(close)";
    order.push_back(slot);
    ++times[slot];
    bodies[slot] = std::move(text);
  }
  // "-" if it has not been answered.
  std::string of(std::uint64_t slot) const {
    const auto found = bodies.find(slot);
    return found == bodies.end() ? "-" : found->second;
  }

  std::map<std::uint64_t, std::string> bodies;
  std::map<std::uint64_t, int> times;
  std::vector<std::uint64_t> order;
};

class RecordingObserver : public host::Observer {
 public:
  void misbehaved(std::string_view plugin, std::string_view slot, std::string_view why) override {
    faults.push_back(std::string(plugin) + " " + std::string(slot) + ": " + std::string(why));
  }
  void log(int, std::string_view message) override { lines.emplace_back(message); }

  std::vector<std::string> faults;
  std::vector<std::string> lines;
};

class RecordingCaller : public host::Caller {
 public:
  void call(host::InternalCall call, host::ReplyTo to) override {
    calls.emplace_back(std::move(call), std::move(to));
  }
  void close_connection(std::uint64_t connection) override { closed.push_back(connection); }

  std::vector<std::pair<host::InternalCall, host::ReplyTo>> calls;
  std::vector<std::uint64_t> closed;
};

}  // namespace muster::testing
