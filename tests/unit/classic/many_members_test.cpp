// Members that come, go and fall silent at random, with reloads between: every request is answered,
// every group is found again after a reload, and a quiet group becomes stable.
#include <random>

#include "classic_rig.hpp"

namespace muster::classic {
namespace {

class ClassicManyMembers : public ClassicTest {
 protected:
  struct Client {
    std::string name;
    std::optional<std::string> instance;
    std::string alias;
    std::int32_t generation = 0;
    bool is_joined = false;
    bool is_synced = false;
    bool waits = false;
  };

  Join join_of(const Client& client) {
    Join join = by(client.name).as(client.alias).with_rebalance(20'000);
    join.instance = client.instance;
    return join;
  }
  void heard(Client& client, const std::string& answer) {
    client.waits = answer == waits;
    if (client.waits) return;
    const std::string word = answer.substr(0, answer.find(' '));
    if (word == "MEMBER_ID_REQUIRED") {
      client.alias = answer.substr(answer.find(' ') + 1);
    } else if (word.find_first_not_of("0123456789") == std::string::npos) {
      client.generation = std::stoi(word);
      client.is_joined = true;
      client.is_synced = false;
      const std::size_t start = answer.find(": ") + 2;
      client.alias = answer.substr(start, answer.find(' ', start) - start);
    } else if (word == "has") {
      client.is_synced = true;
    } else {
      client.is_joined = false;
      const bool is_new = word == "UNKNOWN_MEMBER_ID" || word == "FENCED_INSTANCE_ID";
      if (is_new) client.alias.clear();
    }
  }
  void step(Client& client) {
    if (client.waits) return;
    if (!client.is_joined) {
      heard(client, rig.join(join_of(client)));
    } else if (!client.is_synced) {
      heard(client, rig.sync(syncs(client.alias, client.generation, all())));
    } else if (rig.beat({client.alias, client.generation}) != "NONE") {
      client.is_joined = false;
    }
    hear();
  }
  Shares all() {
    Shares shares;
    for (const Client& other : clients) shares.emplace_back(other.alias, "y");
    return shares;
  }
  // Each answer goes to whoever waited under that name.
  void hear() {
    for (const std::string& line : rig.answered()) {
      const std::string name = line.substr(5, line.find(": ") - 5);
      for (Client& client : clients) {
        if (client.waits && (client.alias == name || client.name == name)) {
          heard(client, line.substr(line.find(": ") + 2));
          break;
        }
      }
    }
  }
  // Members whose process started anew are missed only when their sessions end.
  bool is_quiet() {
    if (rig.state() != "Stable") return false;
    for (const Client& client : clients) {
      if (!client.is_synced || client.generation != clients.front().generation) return false;
    }
    return true;
  }

  std::vector<Client> clients;
  std::mt19937 random{7};
};
BOTH_DOORS(ClassicManyMembers);

TEST_P(ClassicManyMembers, AlwaysFindTogetherAgain) {
  for (int i = 0; i < 8; ++i) {
    Client client;
    client.name = std::string(1, static_cast<char>('p' + i));
    if (i % 3 == 0) client.instance = "i" + client.name;
    clients.push_back(client);
  }
  for (int round = 0; round < 30; ++round) {
    for (int i = 0; i < 60; ++i) {
      Client& client = clients[random() % clients.size()];
      switch (random() % 12) {
        case 0:
          if (!client.alias.empty() && !client.waits) {
            rig.leave({{client.alias, client.instance}});
            client.is_joined = false;
            client.alias.clear();
            hear();
          }
          break;
        case 1:
          rig.pass(static_cast<std::int64_t>(random() % 9000));
          hear();
          break;
        case 2:
          if (!client.waits) {  // its process starts anew
            client.is_joined = false;
            client.alias.clear();
          }
          break;
        default: step(client);
      }
    }
    if (round % 5 == 4) {
      rig.load_again();
      for (Client& client : clients) {
        if (client.waits) client.is_joined = false;
        client.waits = false;
      }
    }
    for (int i = 0; i < 100 && !is_quiet(); ++i) {
      for (Client& client : clients) step(client);
      rig.pass(1000);
      hear();
    }
    ASSERT_TRUE(is_quiet()) << "in round " << round << ": " << rig.describe();
  }
}

}  // namespace
}  // namespace muster::classic
