// --set NAME=VALUE: host settings first, then options, then features.
#include "config/host_config.hpp"

#include <gmock/gmock.h>

namespace muster::host {
namespace {

using ::testing::ElementsAre;

HostConfig with(std::vector<std::string> sets) {
  auto config = load_config({std::nullopt, std::move(sets)});
  EXPECT_TRUE(config) << config.error().to_string();
  return config ? *config : HostConfig{};
}

std::string complaint(const std::string& set) {
  const auto config = load_config({std::nullopt, {set}});
  return config ? "" : config.error().to_string();
}

TEST(Set, ReachesTheListenerAndTheDataFolder) {
  const HostConfig config =
      with({"listener.bind=127.0.0.1:0", "listener.advertised=host:1", "host.data_dir=/tmp/m"});

  EXPECT_EQ(config.listeners[0].bind, (Address{"127.0.0.1", 0}));
  EXPECT_EQ(config.listeners[0].advertised, (Address{"host", 1}));
  EXPECT_EQ(config.data_dir, "/tmp/m");
}

TEST(Set, ReachesAListenerByItsName) {
  EXPECT_EQ(with({"listener.PLAINTEXT.bind=127.0.0.1:7"}).listeners[0].bind.port, 7);
}

TEST(Set, LastOneWins) {
  EXPECT_EQ(with({"host.threads=1", "host.threads=3"}).threads, 3u);
  EXPECT_EQ(with({"node.id=1", "node.id=3"}).node_id, 3);
}

TEST(Set, EmptyAdminAddressTurnsItOff) {
  EXPECT_TRUE(with({"admin.bind=127.0.0.1:1"}).admin);
  EXPECT_FALSE(with({"admin.bind="}).admin);
}

TEST(Set, ListIsCommaSeparated) {
  const HostConfig config = with({"bind.groups=offsets, consumer", "plugins.search_path=a,b"});

  ASSERT_EQ(config.bind.groups.size(), 2u);
  EXPECT_EQ(config.bind.groups[1].name, "consumer");
  EXPECT_THAT(config.plugin_search_path,
              ElementsAre(std::filesystem::path("a"), std::filesystem::path("b")));
}

TEST(Set, WhatIsNoSettingIsAnOptionWithAllOfItsText) {
  const HostConfig config = with({"some.option=a=b"});

  ASSERT_FALSE(config.options.empty());
  EXPECT_EQ(config.options.back().name, "some.option");
  EXPECT_EQ(config.options.back().text, "a=b");
  EXPECT_TRUE(config.options.back().from_command_line);
}

TEST(Set, FeaturesHaveAPrefix) {
  EXPECT_EQ(with({"features.group.version=0"}).features.at("group.version").level, 0);
}

TEST(Set, MistakesQuoteTheArgument) {
  EXPECT_EQ(complaint("listener.bind"), "--set listener.bind: must be NAME=VALUE");
  EXPECT_EQ(complaint("host.threads=x"), "--set host.threads=x: 'host.threads' must be an integer");
  EXPECT_EQ(complaint("host.workers=0"),
            "--set host.workers=0: 'host.workers' must be between 1 and 256, but is 0");
  EXPECT_EQ(complaint("host.data_dir="), "--set host.data_dir=: 'host.data_dir' must not be empty");
  EXPECT_EQ(complaint("listener.bind=here"),
            "--set listener.bind=here: 'listener.bind' must be HOST:PORT, but is 'here'");
  EXPECT_EQ(complaint("node.id=x"),
            "--set node.id=x: invalid value 'x' for option 'node.id': Not a number of type INT");
  EXPECT_EQ(complaint("features.group.version=x"),
            "--set features.group.version=x: the level of feature 'group.version' must be an "
            "integer");
}

}  // namespace
}  // namespace muster::host
