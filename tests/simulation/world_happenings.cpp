// What may happen in a run besides the usual.
#include "world.hpp"

#include <algorithm>

namespace muster::simulation {
namespace {

constexpr std::size_t members_max = 7;
constexpr std::uint32_t partitions_max = 8;

}  // namespace

std::vector<std::string> World::some_topics() {
  switch (random_.below(4)) {
    case 0: return {"apples"};
    case 1: return {"plums", "pears"};
    default: return {"apples", "pears"};
  }
}

void World::add_member(MemberSpec spec) {
  spec.id = "m" + std::to_string(++made_);
  host_.trace.add(spec.id + " comes to " + spec.group +
                  (spec.instance ? " as instance " + *spec.instance : ""));
  if (spec.speaks == Speaks::consumer) {
    members_.push_back(std::make_unique<ConsumerMember>(around_, std::move(spec)));
  } else {
    groups_[spec.group].had_classic = true;
    members_.push_back(std::make_unique<ClassicMember>(around_, std::move(spec)));
  }
}

// Who comes back may have been rolled to the other protocol.
void World::speak_some_protocol(MemberSpec& spec) {
  const auto classic = groups_.at(spec.group).classic;
  spec.speaks = classic && random_.chance(500) ? *classic : Speaks::consumer;
  if (spec.speaks == Speaks::consumer) return;
  spec.regex.reset();
  spec.assignor.reset();
  if (spec.topics.empty()) spec.topics = some_topics();
}

void World::add_some_member() {
  MemberSpec spec;
  spec.group = "g" + std::to_string(random_.below(groups_.size()));
  spec.topics = some_topics();
  if (random_.chance(300)) spec.instance = "i" + std::to_string(made_);
  if (random_.chance(150)) {
    spec.regex = "p.*";
    if (random_.chance(500)) spec.topics.clear();
  }
  if (random_.chance(150)) spec.assignor = random_.chance(500) ? "range" : "uniform";
  spec.rebalance_timeout_ms = static_cast<std::int32_t>(random_.between(5000, 30000));
  speak_some_protocol(spec);
  add_member(std::move(spec));
}

void World::end(Member& member) {
  const bool is_static = member.spec().instance.has_value();
  const bool comes_back = random_.chance(is_static ? 700 : 200);
  if (random_.chance(400)) {
    member.crash();
  } else {
    member.leave(is_static && comes_back);
  }
  if (!comes_back) return;
  returns_.push_back({host_.clock.now_ms + random_.between(0, 8000), member.spec()});
}

void World::bring_back() {
  for (std::size_t i = 0; i < returns_.size(); ++i) {
    if (returns_[i].at > host_.clock.now_ms) continue;
    MemberSpec spec = std::move(returns_[i].spec);
    returns_.erase(returns_.begin() + static_cast<std::ptrdiff_t>(i));
    if (random_.chance(300)) speak_some_protocol(spec);
    add_member(std::move(spec));
    return;
  }
}

void World::happen() {
  std::vector<Member*> present;
  for (const auto& member : members_) {
    if (!member->is_gone()) present.push_back(member.get());
  }
  const std::size_t kind = random_.below(100);
  const auto someone = [&]() -> Member& { return *present[random_.below(present.size())]; };
  if (kind < 12) return happen_to_store();
  if (kind < 20) return happen_to_topics();
  if (kind < 26) return fetch("g" + std::to_string(random_.below(groups_.size())));
  if (kind < 32) return describe("g" + std::to_string(random_.below(groups_.size())));
  if (present.empty() || (kind < 45 && present.size() < members_max)) return add_some_member();
  if (kind < 70) return someone().commit();
  happen_to(someone());
}

void World::happen_to(Member& member) {
  switch (random_.below(7)) {
    case 0: return end(member);
    case 1:
    case 2: return member.lose_connection();
    case 3: return member.stall(random_.between(500, 60000));
    case 4:
      if (member.is_joined() && !member.spec().regex) member.subscribe(some_topics());
      return;
    default: return member.commit();
  }
}

void World::happen_to_store() {
  auto& store = host_.store;
  const auto shard = static_cast<std::uint32_t>(random_.below(store.shards()));
  if (!store.owns(shard)) {
    host_.trace.add("shard " + std::to_string(shard) + " is gained");
    return store.regain(shard);
  }
  if (random_.chance(250)) {
    host_.trace.add("shard " + std::to_string(shard) + " is lost");
    return store.lose(shard, random_.below(3));
  }
  if (!store.has_waiting(shard)) return;
  const bool landed = random_.chance(300);
  host_.trace.add("a commit of shard " + std::to_string(shard) + " fails" +
                  (landed ? " but has landed" : ""));
  store.fail(shard, landed);
}

void World::happen_to_topics() {
  const char* const names[] = {"apples", "pears", "plums", "peaches"};
  const std::string name = names[random_.below(4)];
  const auto known = topics_.all().find(name);
  if (known == topics_.all().end()) {
    return topics_.put(name, static_cast<std::uint32_t>(random_.between(1, 4)));
  }
  if (random_.chance(350)) {
    ledger_.forget(name);
    return topics_.remove(name);
  }
  if (known->second.partitions < partitions_max) topics_.put(name, known->second.partitions + 1);
}

}  // namespace muster::simulation
