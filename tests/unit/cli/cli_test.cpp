// The commands, from arguments to output and exit code.
#include "cli/cli.hpp"

#include "support/scratch_folder.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace muster::host {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const std::string bad = MUSTER_BAD_PLUGINS;

// Fixtures that load well stand for a whole host.
std::string good_config(const std::string& more = "") {
  return "[[plugin]]\nname = \"s\"\npath = \"" + bad + "/store_fences/store_fences.so\"\n" +
         "[[plugin]]\nname = \"b\"\npath = \"" + bad + "/store_fences/store_fences.so\"\n" +
         "[bind]\nstore = \"s\"\nbroker = \"b\"\n" + more;
}

class Cli : public ::testing::Test {
 protected:
  int run(std::vector<std::string> arguments) {
    out_.str("");
    err_.str("");
    std::vector<const char*> argv{"muster"};
    for (const std::string& argument : arguments) argv.push_back(argument.c_str());
    CliHooks hooks;
    hooks.serve = [this](const HostConfig& config) {
      served_ = config;
      return 7;
    };
    hooks.out = &out_;
    hooks.err = &err_;
    return run_cli(static_cast<int>(argv.size()), argv.data(), hooks);
  }
  [[nodiscard]] std::string out() const { return out_.str(); }
  [[nodiscard]] std::string err() const { return err_.str(); }

  std::optional<HostConfig> served_;
  std::ostringstream out_;
  std::ostringstream err_;
  muster::testing::ScratchFolder folder_;
};

TEST_F(Cli, VersionIsTheProjects) {
  EXPECT_EQ(run({"version"}), 0);
  EXPECT_EQ(out(), "muster " MUSTER_VERSION "\n");
}

TEST_F(Cli, NothingAndNonsenseAreUsageErrors) {
  EXPECT_EQ(run({}), 2);
  EXPECT_EQ(run({"srve"}), 2);
  EXPECT_EQ(run({"serve", "--what"}), 2);
  EXPECT_EQ(run({"plugin"}), 2);
  EXPECT_EQ(run({"plugin", "describe"}), 2);
  EXPECT_THAT(err(), HasSubstr("ID is required"));
}

TEST_F(Cli, HelpIsNoError) {
  EXPECT_EQ(run({"--help"}), 0);
  EXPECT_THAT(out(), AllOf(HasSubstr("serve"), HasSubstr("check"), HasSubstr("plugin")));
  EXPECT_EQ(run({"plugin", "probe", "--help"}), 0);
  EXPECT_THAT(out(), ::testing::Not(HasSubstr("--here")));
}

TEST_F(Cli, ServeHandsOverTheConfigurationAndReturnsTheCode) {
  const auto file = folder_.write("c.toml", good_config());
  EXPECT_EQ(run({"serve", file, "--set", "listener.bind=127.0.0.1:0", "--set", "node.id=4"}), 7);
  ASSERT_TRUE(served_);
  EXPECT_EQ(served_->listeners[0].bind.port, 0);
  EXPECT_EQ(served_->node_id, 4);
}

TEST_F(Cli, ServeWithoutAFileUsesTheBuiltInConfiguration) {
  EXPECT_EQ(run({"serve"}), 7);
  ASSERT_TRUE(served_);
  EXPECT_EQ(served_->source, "(built-in)");
}

TEST_F(Cli, WrongConfigurationIsCodeThreeAndOneLineAMistake) {
  const auto file = folder_.write("c.toml", good_config("[log]\nlevel = 1\nformat = \"x\"\n"));
  EXPECT_EQ(run({"serve", file}), 3);
  EXPECT_FALSE(served_);
  EXPECT_EQ(err(), file.string() + ":11: 'log.level' must be a string, but is an integer\n" +
                       file.string() + ":12: 'log.format' must be one of text, json, but is 'x'\n");
}

TEST_F(Cli, CheckGoesAsFarAsThePluginsAndTheirOptions) {
  EXPECT_EQ(run({"check", folder_.write("c.toml", good_config())}), 3);
  EXPECT_THAT(err(), HasSubstr("plugin 'b' offers no muster.broker/1"));
}

TEST_F(Cli, CheckOfARefusedPluginIsCodeFour) {
  const auto file = folder_.write("c.toml", good_config("[[plugin]]\nname = \"x\"\npath = \"" +
                                                        bad + "/null_slot/null_slot.so\"\n"));
  EXPECT_EQ(run({"check", file}), 4);
  EXPECT_THAT(err(), HasSubstr("c.toml:10: plugin 'x' is refused: "));
}

TEST_F(Cli, ListShowsWhatIsOnTheSearchPathWithoutRunningIt) {
  EXPECT_EQ(run({"plugin", "list", "--folder", bad}), 0);
  EXPECT_THAT(out(), HasSubstr("org.example.bad.entry_crashes"));
  EXPECT_THAT(out(), HasSubstr("muster.store/1 store_fences"));
  EXPECT_THAT(err(), HasSubstr("bad_manifest/plugin.toml:1: "));
}

TEST_F(Cli, ListOfAConfigurationShowsStates) {
  const auto file = folder_.write(
      "c.toml", "[[plugin]]\nname = \"s\"\nenabled = false\npath = \"" + bad +
                    "/store_fences/store_fences.so\"\n[[plugin]]\nname = \"x\"\noptional = true\n"
                    "path = \"" +
                    bad +
                    "/null_slot/null_slot.so\"\n"
                    "[bind]\nstore = \"s\"\nbroker = \"s\"\n");
  EXPECT_EQ(run({"plugin", "list", "--config", file}), 0);
  EXPECT_THAT(out(), HasSubstr("disabled"));
  EXPECT_THAT(out(), HasSubstr("refused"));
  EXPECT_THAT(out(), HasSubstr("slot 'assign' is NULL"));
}

TEST_F(Cli, DescribeKnowsOnePlugin) {
  EXPECT_EQ(run({"plugin", "describe", "org.example.bad.store_fences", "--folder", bad}), 0);
  EXPECT_THAT(out(), HasSubstr("export   muster.store/1 store_fences, 0 options\n"));
  EXPECT_EQ(run({"plugin", "describe", "org.example.bad.store_fence", "--folder", bad}), 1);
  EXPECT_EQ(err(),
            "no plugin with the id 'org.example.bad.store_fence'; did you mean "
            "'org.example.bad.store_fences'?\n");
}

TEST_F(Cli, OptionsAreListedWithTheirBounds) {
  EXPECT_EQ(run({"plugin", "options", "org.example.bad.bad_option", "--folder", bad}), 0);
  EXPECT_THAT(out(), StartsWith("bad.option.number (int64, host): default many"));
}

TEST_F(Cli, ProbeOfAGoodPluginSaysWhatItIs) {
  EXPECT_EQ(run({"plugin", "probe", bad + "/assign_twice/assign_twice.so"}), 0) << err();
  EXPECT_THAT(out(), HasSubstr("good: org.example.bad.assign_twice 0.1.0"));
}

TEST_F(Cli, ProbeOfABadPluginIsCodeFour) {
  EXPECT_EQ(run({"plugin", "probe", bad + "/entry_crashes/entry_crashes.so"}), 4);
  EXPECT_THAT(err(), HasSubstr("entry_crashes.so: its entry "));
  EXPECT_EQ(run({"plugin", "probe", bad + "/lying_id/lying_id.so"}), 4);
  EXPECT_THAT(err(), HasSubstr("org.example.honest"));
  EXPECT_EQ(run({"plugin", "probe", "/nowhere.so"}), 4);
  EXPECT_EQ(err(), "/nowhere.so does not exist\n");
  EXPECT_THAT(out(), IsEmpty());
}

}  // namespace
}  // namespace muster::host
