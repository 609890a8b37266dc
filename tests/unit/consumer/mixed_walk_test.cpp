// Members of both protocols that come, go and lag in random order: no partition is ever in two
// hands, and once things are quiet every partition is in one. Each walk follows from its seed.
#include <gmock/gmock.h>

#include <random>
#include <set>
#include <sstream>

#include "classic_rig.hpp"

namespace muster::consumer {
namespace {

constexpr int partition_count = 12;

struct Client {
  std::string id;
  bool is_classic = false;
  bool is_eager = false;    // gives up everything before it rejoins
  bool is_syncing = false;  // has joined, and holds what it held until it knows what it gets
  std::int32_t epoch = 0;
  std::set<std::string> owned;
};

// The numbers in "foo:3,4,5 v3".
std::set<std::string> singly(const std::string& text) {
  std::set<std::string> out;
  if (!text.starts_with("foo:")) return out;
  std::istringstream numbers(text.substr(4, text.find(' ') - 4));
  for (std::string number; std::getline(numbers, number, ',');) out.insert(number);
  return out;
}

std::string together(const std::set<std::string>& owned) {
  std::string text;
  for (const std::string& one : owned) text += (text.empty() ? "foo:" : ",") + one;
  return text;
}

class MixedWalk {
 public:
  explicit MixedWalk(unsigned seed) : random_(seed) {
    // Classic members alone would be another protocol's group.
    rig.options.set("group.consumer.migration.policy", "upgrade");
    rig.open();
    rig.topic("foo", partition_count);
    come(false);
  }

  void step() {
    switch (pick(24)) {
      case 0: return come(pick(3) != 0);
      case 1: return go();
      case 2: return rig.reload();
      case 3: return turn();
      case 4:
      case 5: return rig.pass(1000);
      default: return beat(clients_[pick(clients_.size())]);
    }
  }

  void settle() {
    for (int round = 0; round < 20; ++round) {
      rig.pass(1000);
      for (Client& client : clients_) beat(client);
    }
  }

  void expect_no_partition_twice() {
    std::set<std::string> seen;
    for (const Client& client : clients_) {
      for (const std::string& one : client.owned) {
        EXPECT_TRUE(seen.insert(one).second) << one << " is in two hands, one is " << client.id;
      }
    }
  }
  void expect_all_owned() {
    std::size_t owned = 0;
    for (const Client& client : clients_) owned += client.owned.size();
    EXPECT_EQ(owned, static_cast<std::size_t>(partition_count));
    EXPECT_EQ(rig.state(), "Stable");
  }

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }

  void come(bool is_classic) {
    if (clients_.size() >= 6) return;
    Client client;
    client.is_classic = is_classic;
    client.is_eager = pick(2) == 0;
    if (!is_classic) client.id = "m" + std::to_string(++made_);
    beat(clients_.emplace_back(client));
  }

  // Never the first: somebody of the new protocol must stay.
  void go() {
    if (clients_.size() < 2) return;
    const std::size_t at = 1 + pick(clients_.size() - 1);
    const Client& client = clients_[at];
    if (client.is_classic) {
      rig.leave({{client.id}});
    } else {
      rig.beat(leaves(client.id));
    }
    clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  // The same client, started anew with the other protocol under its id, owns nothing at first.
  void turn() {
    if (clients_.size() < 2) return;
    Client& client = clients_[1 + pick(clients_.size() - 1)];
    if (client.id.empty()) return;
    client.is_classic = !client.is_classic;
    client.is_syncing = false;
    client.epoch = 0;
    client.owned.clear();
    beat(client);
  }

  void beat(Client& client) {
    if (client.is_classic) return beat_classic(client);
    Beat beat = client.epoch == 0 ? joins(client.id, {"foo"}).with_timeout(600000)
                                  : beats(client.id, client.epoch).owns(together(client.owned));
    const Answer answer = rig.beat(beat);
    ASSERT_EQ(answer.error, 0) << answer;
    client.epoch = answer.epoch;
    if (answer.assignment) client.owned = singly(*answer.assignment);
  }

  void beat_classic(Client& client) {
    if (client.is_syncing) return sync(client);
    if (client.epoch == 0) return rejoin(client);
    const std::int16_t error = rig.beat_of({client.id, client.epoch});
    if (error == 27) return rejoin(client);
    ASSERT_EQ(error, 0);
  }

  void sync(Client& client) {
    client.is_syncing = false;
    const std::string assignment = rig.sync({client.id, client.epoch});
    if (assignment == "error 27") return;  // its next heartbeat says so too
    ASSERT_FALSE(assignment.starts_with("error")) << assignment;
    client.owned = singly(assignment);
  }

  void rejoin(Client& client) {
    if (client.is_eager) client.owned.clear();
    Join join = join_of(client.id).owning(together(client.owned));
    join.rebalance_timeout_ms = join.session_timeout_ms = 600000;
    std::string answer = rig.join(join);
    if (answer.starts_with("error 79 ")) {
      client.id = join.member = answer.substr(9);
      answer = rig.join(join);
    }
    ASSERT_TRUE(answer.starts_with(client.id + " at ")) << answer;
    client.epoch = std::stoi(answer.substr(client.id.size() + 4));
    client.is_syncing = true;
  }

  ClassicRig rig{Door::linked, false};
  std::mt19937 random_;
  std::vector<Client> clients_;
  int made_ = 0;
};

TEST(MixedGroupRandomWalk, NoPartitionIsInTwoHandsAndAllAreInOneOnceItIsQuiet) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    MixedWalk walk(seed);
    for (int i = 0; i < 200; ++i) {
      walk.step();
      walk.expect_no_partition_twice();
      if (::testing::Test::HasFailure()) return;
    }
    walk.settle();
    walk.expect_no_partition_twice();
    walk.expect_all_owned();
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace muster::consumer
