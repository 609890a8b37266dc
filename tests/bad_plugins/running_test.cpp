// The fixtures that break a promise while they run, in a real host: what README.md here says of
// each.
#include "../sockets/heartbeats.hpp"
#include "../sockets/served.hpp"
#include "../sockets/topics.hpp"
#include "support/contents.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace muster::sockets {
namespace {

constexpr std::int16_t load_in_progress = 14;
constexpr std::int16_t not_available = 15;
constexpr std::int16_t not_coordinator = 16;

// The embedded configuration with a fixture in it, and one text in place of another.
class Host {
 public:
  Host(const std::string& fixture, const std::string& instead_of, const std::string& put) {
    std::string config = testing::contents(MUSTER_EMBEDDED_TOML);
    const std::size_t at = config.find(instead_of);
    EXPECT_NE(at, std::string::npos) << instead_of;
    config.replace(at, instead_of.size(), put);
    config += "\n[[plugin]]\nname = \"bad\"\npath = \"" MUSTER_BAD_PLUGINS "/" + fixture + "/" +
              fixture + ".so\"\n";
    const auto file = folder_.path() / "bad.toml";
    std::ofstream(file) << config;
    served_ = std::make_unique<Served>(
        std::vector<std::string>{"host.threads=1", "offsets.topic.num.partitions=1"}, file);
    Client client(served_->port());
    create_topic(client, "t", 4);
    find_coordinator(client, "g");
  }

  Served& served() { return *served_; }
  // What a member that joins is told once its shard is there.
  Heard join(const std::string& assignor = "uniform") {
    Beating member(served_->port(), "g", assignor);
    Heard heard = member.join();
    const auto until = std::chrono::steady_clock::now() + patience;
    while (heard.message.error_code == load_in_progress &&
           std::chrono::steady_clock::now() < until) {
      heard = member.join();
    }
    return heard;
  }
  double faults(const std::string& plugin) {
    return served_->metric("muster_plugin_faults_total{plugin=\"" + plugin + "\"}");
  }

 private:
  ScratchFolder folder_;
  std::unique_ptr<Served> served_;
};

struct Protocol : Host {
  explicit Protocol(const std::string& fixture)
      : Host(fixture, R"(groups = ["offsets", "classic", "consumer"])",
             R"(groups = ["offsets", "classic", "consumer", "bad"])") {}

  // The body of the private API's answer; nothing: the connection was closed.
  static std::string asked(const Client& client, std::int32_t correlation_id = 1) {
    const std::string group = "mine";
    EXPECT_TRUE(client.send(
        request_of({1000, 0, correlation_id},
                   Bytes(reinterpret_cast<const std::uint8_t*>(group.data()), group.size()))));
    const auto frame = client.receive();
    if (!frame) return {};
    EXPECT_EQ(protocol::Reader(*frame).read_int32(), correlation_id);
    return {frame->begin() + 4, frame->end()};
  }
  std::string ask() {
    const Client client(served().port());
    return asked(client);
  }
};

class DecideThatFails : public ::testing::TestWithParam<const char*> {};

TEST_P(DecideThatFails, IsRefusedAndTheShardGoesOn) {
  Protocol host(GetParam());
  EXPECT_EQ(host.join().message.error_code, 0);
  EXPECT_EQ(host.ask(), "no");
  EXPECT_EQ(host.join().message.error_code, 0);
}

INSTANTIATE_TEST_SUITE_P(Fixtures, DecideThatFails,
                         ::testing::Values("decide_nothing", "decide_fails", "decide_throws",
                                           "decide_foreign_record", "replay_fails"),
                         [](const auto& fixture) { return std::string(fixture.param); });

TEST(RunningPlugin, DecideThatFailsIsCounted) {
  Protocol host("decide_fails");
  EXPECT_EQ(host.join().message.error_code, 0);
  EXPECT_EQ(host.ask(), "no");
  EXPECT_GE(host.faults("bad"), 1);
}

TEST(RunningPlugin, OfTwoAnswersOneLeaves) {
  Protocol host("decide_answers_twice");
  EXPECT_EQ(host.join().message.error_code, 0);
  const Client client(host.served().port());
  EXPECT_EQ(Protocol::asked(client, 1), "ok");
  EXPECT_EQ(Protocol::asked(client, 2), "ok");
}

TEST(RunningPlugin, RouteThatFailsClosesTheConnection) {
  Protocol host("route_fails");
  EXPECT_EQ(host.ask(), "");
  EXPECT_EQ(host.join().message.error_code, 0);
}

TEST(RunningPlugin, RefuseThatFailsClosesTheConnection) {
  Protocol host("refuse_fails");
  EXPECT_EQ(host.join().message.error_code, 0);
  EXPECT_EQ(host.ask(), "");
  EXPECT_TRUE(host.served().answers());
}

TEST(RunningPlugin, AShardThatCannotBeOpenedRefuses) {
  Protocol host("shard_open_fails");
  EXPECT_EQ(host.ask(), "no");
  EXPECT_TRUE(host.served().answers());
}

TEST(RunningPlugin, AssignThatThrowsLeavesTheGroupAsItWas) {
  Host host("assign_throws", R"(["uniform", "range"])", R"(["bad/assign_throws", "range"])");
  const Heard heard = host.join("assign_throws");
  EXPECT_EQ(heard.message.error_code, 0);
  EXPECT_EQ(heard.message.member_epoch, 1);
  EXPECT_TRUE(host.served().answers());
}

TEST(RunningPlugin, ACommitThatFailsIsCoordinatorNotAvailable) {
  Host host("store_commit_fails", R"(store = "rocksdb")", R"(store = "bad")");
  EXPECT_EQ(host.join().message.error_code, not_available);
}

TEST(RunningPlugin, ACommitThatIsFencedIsNotCoordinator) {
  Host host("store_fences", R"(store = "rocksdb")", R"(store = "bad")");
  EXPECT_EQ(host.join().message.error_code, not_coordinator);
}

TEST(RunningPlugin, AStoreThatCannotOpenItsSpaceEndsTheHostWithItsSentence) {
  const ScratchFolder folder;
  const auto run = [&](const std::string& words) {
    const std::string command =
        MUSTER_EXECUTABLE " serve " + words + " >" + (folder.path() / "log").string() + " 2>&1";
    return std::system(command.c_str());
  };
  EXPECT_NE(run("--set listener.bind=127.0.0.1:0 --set admin.bind= --set bind.store=bad "
                "--set host.data_dir=" +
                (folder.path() / "data").string() + " " + MUSTER_OPEN_FAILS_TOML),
            0);
  EXPECT_THAT(testing::contents(folder.path() / "log"),
              ::testing::HasSubstr("the space was made with 7 shards"));
}

}  // namespace
}  // namespace muster::sockets
