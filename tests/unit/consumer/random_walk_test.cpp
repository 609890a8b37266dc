// Clients that come, go, lag and change their minds in random order: no partition is ever in two
// hands, and once things are quiet every partition is in one. Each walk follows from its seed.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <set>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

// A consumer as the Java client is one: revokes what it must at once and says so with its next
// beat.
struct Client {
  std::string id;
  std::optional<std::string> instance;
  std::vector<std::string> topics;
  std::int32_t epoch = 0;
  std::set<std::string> owned;  // "foo:0"
  bool tells_owned = true;
  bool is_waiting = false;  // for the answer to a parked heartbeat
};

std::set<std::string> singly(const std::string& text) {
  std::set<std::string> out;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::string topic = word.substr(0, word.find(':') + 1);
    std::istringstream numbers(word.substr(topic.size()));
    for (std::string number; std::getline(numbers, number, ',');) out.insert(topic + number);
  }
  return out;
}

std::string together(const std::set<std::string>& owned) {
  std::string text;
  for (const std::string& one : owned) text += (text.empty() ? "" : " ") + one;
  return text;
}

class Walk {
 public:
  explicit Walk(unsigned seed) : random_(seed) {
    for (const char* topic : {"bar", "foo"}) grow(topic);
  }

  void step() {
    switch (pick(12)) {
      case 0: return come();
      case 1: return go();
      case 2: return change_subscription();
      case 3: return grow(pick(2) == 0 ? "foo" : "bar");
      case 4: return end_a_run(pick(4) == 0);
      case 5: return expire();
      case 6: return reload();
      case 7: return pass(pick(1500));
      default: return beat_someone();
    }
  }

  void settle() {
    for (int round = 0; round < 12; ++round) {
      while (!rig.runs.empty()) end_a_run(false);
      pass(1000);
      for (Client& client : clients_) beat(client);
    }
  }

  // Each partition of a topic that somebody wants is owned.
  void expect_all_owned() {
    if (clients_.empty()) return;
    EXPECT_EQ(rig.state(), "Stable");
    std::set<std::string> wanted;
    for (const Client& client : clients_) {
      for (const std::string& topic : client.topics) {
        for (std::uint32_t p = 0; p < partitions_[topic]; ++p) {
          wanted.insert(topic + ":" + std::to_string(p));
        }
      }
    }
    std::set<std::string> owned;
    for (const Client& client : clients_) owned.insert(client.owned.begin(), client.owned.end());
    EXPECT_EQ(owned, wanted);
  }

  void expect_no_partition_twice() {
    std::set<std::string> seen;
    for (const Client& client : clients_) {
      for (const std::string& one : client.owned) {
        EXPECT_TRUE(seen.insert(one).second) << one << " is in two hands, one is " << client.id;
      }
    }
  }

 private:
  std::size_t pick(std::size_t below) { return random_() % below; }

  void grow(const std::string& topic) {
    if (partitions_[topic] < 6) rig.topic(topic, ++partitions_[topic]);
  }
  void pass(std::size_t ms) { rig.pass(static_cast<std::int64_t>(ms)); }

  void come() {
    if (clients_.size() >= 5) return;
    Client client;
    client.id = "m" + std::to_string(++made_);
    client.topics =
        pick(3) == 0 ? std::vector<std::string>{"foo"} : std::vector<std::string>{"bar", "foo"};
    if (pick(3) == 0) client.instance = "i" + std::to_string(made_);
    clients_.push_back(client);
    beat(clients_.back());
  }

  // For good, or for a while and back under another id.
  void go() {
    if (clients_.empty()) return;
    const std::size_t at = pick(clients_.size());
    Client client = clients_[at];
    if (client.epoch == 0 || client.is_waiting) return;
    Beat last = beats(client.id, -1);
    if (client.instance) last = last.with_instance(*client.instance);
    if (client.instance && pick(2) == 0) {
      ASSERT_EQ(rig.send(last.at(-2))->error, 0);
      clients_[at].id = "m" + std::to_string(++made_);
      clients_[at].epoch = 0;
      clients_[at].owned.clear();
      return;
    }
    ASSERT_EQ(rig.send(last)->error, 0);
    clients_.erase(clients_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  void change_subscription() {
    if (clients_.empty()) return;
    Client& client = clients_[pick(clients_.size())];
    if (client.is_waiting || client.epoch == 0) return;
    client.topics = client.topics.size() == 1 ? std::vector<std::string>{"bar", "foo"}
                                              : std::vector<std::string>{"foo"};
    answer(client, rig.send(beat_of(client).with_topics(client.topics)));
  }

  void end_a_run(bool fails) {
    if (rig.runs.empty()) return;
    deliver(fails ? rig.fail() : rig.finish());
  }
  void expire() {
    if (!rig.parked.empty()) deliver({rig.expire()});
  }
  // All that was in flight is gone; clients try again.
  void reload() {
    rig.reload();
    rig.runs.clear();
    rig.parked.clear();
    for (Client& client : clients_) client.is_waiting = false;
  }

  void beat_someone() {
    if (!clients_.empty()) beat(clients_[pick(clients_.size())]);
  }
  void beat(Client& client) {
    if (!client.is_waiting) answer(client, rig.send(beat_of(client)));
  }

  Beat beat_of(const Client& client) const {
    Beat beat =
        client.epoch == 0 ? joins(client.id, client.topics) : beats(client.id, client.epoch);
    if (client.epoch != 0 && client.tells_owned) beat = beat.owns(together(client.owned));
    if (client.instance) beat = beat.with_instance(*client.instance);
    return beat;
  }

  void deliver(const std::vector<Answer>& answers) {
    for (const Answer& one : answers) {
      const auto client = std::ranges::find_if(clients_, [&](const Client& who) {
        return who.is_waiting && (!one.member || one.member == who.id);
      });
      ASSERT_NE(client, clients_.end());
      answer(*client, one);
    }
  }

  void answer(Client& client, const std::optional<Answer>& got) {
    client.is_waiting = !got;
    if (!got) return;
    if (got->error == 25 || got->error == 110) {
      client.epoch = 0;
      client.owned.clear();
      return;
    }
    // The answer to its join was lost, and an instance in use is not given away: it leaves first.
    if (got->error == 111) {
      rig.send(beats(client.id, -2).with_instance(*client.instance));
      return;
    }
    ASSERT_EQ(got->error, 0) << *got;
    client.epoch = got->epoch;
    if (got->assignment) client.owned = singly(*got->assignment);
    client.tells_owned = got->assignment.has_value() || pick(2) == 0;
  }

  ConsumerRig rig{Door::linked};
  std::mt19937 random_;
  std::vector<Client> clients_;
  std::map<std::string, std::uint32_t> partitions_;
  int made_ = 0;
};

TEST(ConsumerGroupRandomWalk, NoPartitionIsInTwoHandsAndAllAreInOneOnceItIsQuiet) {
  for (unsigned seed = 1; seed <= 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Walk walk(seed);
    for (int i = 0; i < 80; ++i) {
      walk.step();
      walk.expect_no_partition_twice();
    }
    walk.settle();
    walk.expect_no_partition_twice();
    walk.expect_all_owned();
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace muster::consumer
