// The order of events of a run.
#include "world.hpp"

#include "runtime/offload.hpp"

#include <algorithm>

namespace muster::simulation {
namespace {

constexpr int rounds = 2;
constexpr int chaos_steps = 2000;
constexpr std::int64_t quiet_ms = 150000;  // sessions, rebalances and back-offs have ended by then
constexpr std::int64_t longest_lie_ms = 20000;
constexpr int assignor_faults_a_run = 7;

host::OffloadJob* assignor_job(const std::shared_ptr<host::Job>& job) {
  auto* const offload = dynamic_cast<host::OffloadJob*>(job.get());
  return offload != nullptr && offload->assignor != nullptr ? offload : nullptr;
}

}  // namespace

SimSettings World::settings_of(std::uint64_t seed) {
  Random random(seed + 1);
  SimSettings settings;
  settings.seed = seed;
  settings.shards = static_cast<std::uint32_t>(random.between(1, 3));
  settings.assignor_wait_ms = random.chance(200) ? 0 : 250;
  settings.assignment_interval_ms = random.chance(300) ? 0 : 1000;
  settings.initial_delay_ms = random.chance(500) ? 0 : 3000;
  return settings;
}

World::World(std::uint64_t seed, bool is_loud) : random_(seed), host_(settings_of(seed)) {
  host_.trace.is_loud = is_loud;
  observer_ = network_.connect("observer");
  has_slow_assignors_ = random_.chance(600);
  faults_left_ = random_.chance(500) ? assignor_faults_a_run : 0;
  for (const char* group : {"g0", "g1", "g2"}) {
    GroupView& view = groups_[group];
    if (!random_.chance(500)) continue;
    view.classic = random_.chance(500) ? Speaks::classic_eager : Speaks::classic_cooperative;
  }
  topics_.put("apples", static_cast<std::uint32_t>(random_.between(1, 6)));
  topics_.put("pears", static_cast<std::uint32_t>(random_.between(1, 6)));
  set_faults();
}

void World::set_faults() {
  host_.store.at_once = [this] { return random_.chance(is_chaos_ ? 300 : 1000); };
  host_.store.load_fails = [this] { return is_chaos_ && random_.chance(250); };
  host_.store.lost_while_loading = [this] { return is_chaos_ && random_.chance(100); };
  for (const char* name : {"uniform", "range"}) {
    host_.assignor(name).next_fault = [this] {
      if (!is_chaos_ || faults_left_ == 0 || !random_.chance(150)) return AssignorFault::none;
      --faults_left_;
      host_.trace.add("an assignor goes wrong");
      return static_cast<AssignorFault>(1 + random_.below(assignor_faults - 1));
    };
  }
}

std::string World::run() {
  for (int round = 0; round < rounds && !failed(); ++round) {
    is_chaos_ = true;
    for (int i = 0; i < chaos_steps && !failed(); ++i) step();
    calm_down();
    quiet(quiet_ms);
    if (!failed()) check_converged();
    if (!failed()) check_reload();
  }
  return host_.trace.violation();
}

void World::step() {
  const std::size_t kind = random_.below(100);
  if (kind < 8 && is_chaos_) {
    happen();
  } else if (kind < 14) {
    pass_time();
  } else if (!(kind < 45 ? network_.step(random_) : kind < 75 ? step_host() : step_member())) {
    if (!network_.step(random_) && !step_host() && !step_member()) pass_time();
  }
  if (around_.ownership_changes != checked_changes_) check_owners();
  check_ownership();
}

bool World::step_host() {
  const std::size_t kind = random_.below(3);
  if (kind == 0 && !host_.executor.posted.empty()) {
    host_.executor.run_posted();
    return true;
  }
  return kind == 1 ? run_job(true) || acknowledge() : acknowledge() || run_job(true);
}

// Any job that is there; an assignor's may be left lying for a while, or for good.
bool World::run_job(bool patiently) {
  auto& jobs = host_.executor.jobs;
  if (is_chaos_ && !host_.executor.hung.empty() && random_.chance(300)) {
    const auto late = host_.executor.hung.back();
    host_.executor.hung.pop_back();
    late->run();
    return true;
  }
  if (jobs.empty()) return false;
  const std::size_t index = random_.below(jobs.size());
  const bool may_lie = patiently && is_chaos_ && has_slow_assignors_;
  host::OffloadJob* const assignor = assignor_job(jobs[index]);
  if (may_lie && assignor != nullptr && !random_.chance(50)) {
    const auto [since, is_fresh] = lying_since_.try_emplace(jobs[index], host_.clock.now_ms);
    // Slow is who has a worker; the others wait for one.
    if (is_fresh && random_.chance(500)) assignor->take();
    if (host_.clock.now_ms - since->second < longest_lie_ms) return false;
    if (faults_left_ > 0 && random_.chance(500)) {
      --faults_left_;
      lying_since_[jobs[index]] = host_.clock.now_ms;
      return false;
    }
  }
  lying_since_.erase(jobs[index]);
  host_.executor.run_job(index);
  return true;
}

bool World::acknowledge() {
  const auto first = static_cast<std::uint32_t>(random_.below(host_.store.shards()));
  for (std::uint32_t i = 0; i < host_.store.shards(); ++i) {
    const std::uint32_t shard = (first + i) % host_.store.shards();
    if (!host_.store.has_waiting(shard)) continue;
    host_.store.acknowledge(shard);
    return true;
  }
  return false;
}

bool World::step_member() {
  bring_back();
  if (members_.empty()) return false;
  const std::size_t first = random_.below(members_.size());
  for (std::size_t i = 0; i < members_.size(); ++i) {
    if (members_[(first + i) % members_.size()]->step()) return true;
  }
  return false;
}

void World::pass_time() {
  const std::size_t kind = random_.below(10);
  host_.pass(kind < 6   ? random_.between(1, 50)
             : kind < 9 ? random_.between(50, 1000)
                        : random_.between(1000, 6000));
}

std::int64_t World::next_due() const {
  std::int64_t due = INT64_MAX;
  for (const auto& member : members_) due = std::min(due, member->next_due());
  for (const Return& back : returns_) due = std::min(due, back.at);
  if (!host_.executor.wakes.empty()) due = std::min(due, host_.executor.wakes.begin()->first);
  return due;
}

// Faults stop; what was away comes back.
void World::calm_down() {
  is_chaos_ = false;
  host_.trace.add("calm");
  lying_since_.clear();
  for (std::uint32_t shard = 0; shard < host_.store.shards(); ++shard) {
    if (!host_.store.owns(shard)) host_.store.regain(shard);
  }
  for (const auto& member : members_) member->wake_up();
}

void World::quiet(std::int64_t for_ms) {
  const std::int64_t until = host_.clock.now_ms + for_ms;
  while (!failed()) {
    const bool moved = random_.below(2) == 0
                           ? network_.step(random_) || step_host() || step_member()
                           : step_member() || step_host() || network_.step(random_);
    if (around_.ownership_changes != checked_changes_) check_owners();
    if (moved || !host_.executor.posted.empty()) continue;
    if (host_.clock.now_ms >= until) return;
    const std::int64_t next = std::min(next_due(), until);
    host_.pass(std::max<std::int64_t>(next - host_.clock.now_ms, 0));
  }
}

}  // namespace muster::simulation
