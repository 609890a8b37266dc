// How `muster topic` and `muster group` read their arguments and look for a host.
#include "cli/remote_scope.hpp"

#include "support/scratch_folder.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace muster::host {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Remote : public ::testing::Test {
 protected:
  int run(const std::vector<std::string>& arguments) {
    out_.str("");
    err_.str("");
    std::vector<const char*> argv{"muster"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    CliHooks hooks;
    hooks.out = &out_;
    hooks.err = &err_;
    return run_cli(static_cast<int>(argv.size()), argv.data(), hooks);
  }

  std::ostringstream out_;
  std::ostringstream err_;
  muster::testing::ScratchFolder folder_;
};

TEST_F(Remote, TheDataFolderOfTheBuiltInConfigurationIsTheDefault) {
  const auto target = target_of({});
  ASSERT_TRUE(target);
  EXPECT_FALSE(target->server);
  EXPECT_EQ(target->text(), "data/muster.sock");
}

TEST_F(Remote, AConfigurationFileNamesTheDataFolder) {
  RemoteScope scope;
  scope.config_file = folder_.write("c.toml",
                                    "[[plugin]]\nname = \"s\"\nid = \"x\"\n[bind]\nstore = \"s\"\n"
                                    "broker = \"s\"\n[host]\ndata_dir = \"/kept\"\n");
  const auto target = target_of(scope);
  ASSERT_TRUE(target) << target.error().what;
  EXPECT_EQ(target->text(), "/kept/muster.sock");
}

TEST_F(Remote, AWrongConfigurationFileIsCodeThree) {
  const std::string file = folder_.write("c.toml", "[log]\nlevel = 1\n");
  EXPECT_EQ(run({"topic", "list", "--config-file", file}), 3);
  EXPECT_THAT(err_.str(), HasSubstr("c.toml:2: "));
}

TEST_F(Remote, AServerIsHostAndPort) {
  RemoteScope scope;
  scope.server = "[::1]:9092";
  const auto target = target_of(scope);
  ASSERT_TRUE(target);
  EXPECT_EQ(target->text(), "[::1]:9092");
  EXPECT_EQ(run({"group", "list", "--server", "9092"}), 2);
  EXPECT_EQ(err_.str(), "--server must be HOST:PORT, but is '9092'\n");
}

TEST_F(Remote, OnlyOnePlaceMayBeNamed) {
  EXPECT_EQ(run({"topic", "list", "--server", "a:1", "--data-dir", "d"}), 2);
  EXPECT_EQ(run({"topic", "list", "--config-file", "f", "--data-dir", "d"}), 2);
}

TEST_F(Remote, NonsenseIsAUsageErrorBeforeAnybodyIsAsked) {
  EXPECT_EQ(run({"topic"}), 2);
  EXPECT_EQ(run({"topic", "create"}), 2);
  EXPECT_EQ(run({"topic", "create", "t", "--partitions", "0"}), 2);
  EXPECT_EQ(run({"topic", "create", "t", "--partitions", "many"}), 2);
  EXPECT_EQ(run({"topic", "create", "t", "--config", "retention.ms"}), 2);
  EXPECT_EQ(err_.str(), "--config must be NAME=VALUE, but is 'retention.ms'\n");
  EXPECT_EQ(run({"group", "describe"}), 2);
  EXPECT_EQ(run({"group", "list", "--timeout", "0"}), 2);
}

TEST_F(Remote, AFolderWithoutAHostIsCodeFiveAndSaysWhatToDo) {
  const std::string folder = folder_.path().string();
  EXPECT_EQ(run({"topic", "list", "--data-dir", folder}), 5);
  EXPECT_EQ(err_.str(), "no host is running in '" + folder +
                            "'; start one there with `muster serve`, or say where with "
                            "--data-dir or --server\n");
  EXPECT_THAT(out_.str(), IsEmpty());
}

TEST_F(Remote, AFolderWithALongPathCannotHaveASocket) {
  EXPECT_EQ(run({"topic", "list", "--data-dir", "/" + std::string(100, 'x')}), 5);
  EXPECT_THAT(err_.str(), HasSubstr("is too long for the path of a socket"));
}

TEST(KafkaFailure, SaysNameAndMessage) {
  EXPECT_EQ(kafka_failure("cannot", 36, "It is there.").what,
            "cannot: TOPIC_ALREADY_EXISTS: It is there.");
  EXPECT_EQ(kafka_failure("cannot", 36).what,
            "cannot: TOPIC_ALREADY_EXISTS: a topic of that name is there");
  EXPECT_EQ(kafka_failure("cannot", 999).what, "cannot: error 999");
}

}  // namespace
}  // namespace muster::host
