// Configuration files: what becomes of each table, and what is said about mistakes.
#include "config/host_config.hpp"
#include "config/options.hpp"

#include "support/scratch_folder.hpp"

#include <gmock/gmock.h>

namespace muster::host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// The least that is legal; a test's own text goes before or after it.
constexpr const char* minimal = R"(
[[plugin]]
name = "memory"
id = "org.muster.store.memory"
[[plugin]]
name = "embedded"
id = "org.muster.broker.embedded"
[bind]
store = "memory"
broker = "embedded"
)";

class LoadConfig : public ::testing::Test {
 protected:
  HostConfig load(const std::string& text) {
    auto config = load_config({folder_.write("c.toml", text), {}});
    EXPECT_TRUE(config) << config.error().to_string();
    return config ? *config : HostConfig{};
  }
  // The complaints without the scratch folder's name.
  std::string complaint(const std::string& text) {
    const auto config = load_config({folder_.write("c.toml", text), {}});
    if (config) return "";
    std::string all;
    for (const ConfigError& error : config.error().errors) {
      const std::string file = std::filesystem::path(error.origin.file).filename().string();
      all += (all.empty() ? "" : "\n") + file + ":" + std::to_string(error.origin.line) + ": " +
             error.message;
    }
    return all;
  }

  muster::testing::ScratchFolder folder_;
};

TEST_F(LoadConfig, TakesEveryOptionOfTheHostFromAFile) {
  std::string text = std::string(minimal) + "[options]\n";
  for (const muster_option& option : host_options()) {
    text += std::string(option.name) + " = " + option.default_value + "\n";
  }
  EXPECT_EQ(complaint(text), "");
  EXPECT_THAT(complaint(std::string(minimal) + "[options]\nnode.id = true\n"),
              HasSubstr("option 'node.id' must be an integer, but is a boolean"));
}

TEST_F(LoadConfig, HasKafkasLimitsByDefault) {
  const HostConfig config = load(minimal);

  EXPECT_EQ(config.listeners.size(), 1u);
  EXPECT_EQ(config.listeners[0].bind, (Address{"127.0.0.1", 9092}));
  EXPECT_FALSE(config.admin);
  EXPECT_EQ(config.node_id, 0);
  EXPECT_EQ(config.shard_count, 50u);
  EXPECT_EQ(config.limits.max_frame_bytes, 104857600u);
  EXPECT_EQ(config.limits.connections_max_idle_ms, 600000);
  EXPECT_GE(config.threads, 1u);
  EXPECT_LE(config.threads, 4u);
}

TEST_F(LoadConfig, ReadsTheHostsSettings) {
  const HostConfig config = load(std::string(R"(
[host]
data_dir = "/var/lib/muster"
threads = 3
[admin]
bind = "[::1]:9644"
[log]
level = "debug"
format = "json"
[limits]
connection_requests = 8
)") + minimal);

  EXPECT_EQ(config.data_dir, "/var/lib/muster");
  EXPECT_EQ(config.threads, 3u);
  EXPECT_EQ(*config.admin, (Address{"::1", 9644}));
  EXPECT_EQ(config.log_level, LogLevel::debug);
  EXPECT_EQ(config.log_format, LogFormat::json);
  EXPECT_EQ(config.limits.connection_requests, 8u);
}

TEST_F(LoadConfig, SeveralListenersEachHaveTheirAddress) {
  const HostConfig config = load(std::string(R"(
[[listener]]
name = "INSIDE"
bind = "127.0.0.1:9092"
[[listener]]
name = "OUTSIDE"
bind = "0.0.0.0:9094"
advertised = "kafka.example.org:19094"
)") + minimal);

  ASSERT_EQ(config.listeners.size(), 2u);
  EXPECT_EQ(config.listeners[1].name, "OUTSIDE");
  EXPECT_EQ(config.listeners[1].advertised, (Address{"kafka.example.org", 19094}));
}

TEST_F(LoadConfig, PathsInAFileAreRelativeToIt) {
  const HostConfig config = load(std::string(R"(
[plugins]
search_path = ["more", "/abs"]
[[plugin]]
name = "rr"
path = "./build/librr.so"
)") + minimal);

  EXPECT_THAT(config.plugin_search_path,
              ElementsAre(folder_.path() / "more", std::filesystem::path("/abs")));
  EXPECT_EQ(config.plugins[0].path, folder_.path() / "build/librr.so");
  EXPECT_EQ(config.plugins[0].origin.line, 4);
}

TEST_F(LoadConfig, OptionsAreJoinedWithDotsHoweverTheyAreWritten) {
  const HostConfig config = load(std::string(minimal) + R"(
[options]
"group.consumer.session.timeout.ms" = 50000
group.consumer.assignors = ["range", "uniform"]
[options.offsets]
retention.minutes = 7
)");

  ASSERT_EQ(config.options.size(), 3u);
  EXPECT_EQ(config.options[0].name, "group.consumer.session.timeout.ms");
  EXPECT_EQ(config.options[0].text, "50000");
  EXPECT_EQ(config.options[1].name, "group.consumer.assignors");
  EXPECT_EQ(config.options[1].text, "range,uniform");
  EXPECT_EQ(config.options[1].kind, ValueKind::list);
  EXPECT_EQ(config.options[2].name, "offsets.retention.minutes");
  EXPECT_EQ(config.options[2].origin.line, 16);
}

TEST_F(LoadConfig, HostsOwnOptionsTakeEffect) {
  const HostConfig config = load(std::string(minimal) + R"(
[options]
node.id = 7
offsets.topic.num.partitions = 1
socket.request.max.bytes = 4096
connections.max.idle.ms = -1
)");

  EXPECT_EQ(config.node_id, 7);
  EXPECT_EQ(config.shard_count, 1u);
  EXPECT_EQ(config.limits.max_frame_bytes, 4096u);
  EXPECT_EQ(config.limits.connections_max_idle_ms, -1);
}

TEST_F(LoadConfig, FeaturesAreLevels) {
  const HostConfig config = load(std::string(minimal) + "[features]\ngroup.version = 0\n");

  ASSERT_TRUE(config.features.contains("group.version"));
  EXPECT_EQ(config.features.at("group.version").level, 0);
}

TEST_F(LoadConfig, BindKeepsItsOrder) {
  const HostConfig config = load(R"(
[[plugin]]
name = "b"
id = "b"
[[plugin]]
name = "a"
id = "a"
[bind]
groups = ["b", "a"]
store = "a/memory"
broker = "b"
)");

  ASSERT_EQ(config.bind.groups.size(), 2u);
  EXPECT_EQ(config.bind.groups[0].name, "b");
  EXPECT_EQ(config.bind.store.name, "a/memory");
}

TEST_F(LoadConfig, MissingFileIsOneSentence) {
  const auto config = load_config({"/nowhere/x.toml", {}});
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().to_string(),
            "/nowhere/x.toml: cannot be read: No such file or directory");
}

// What a mistake is answered with, one sentence each.
struct Mistake {
  const char* text;
  const char* complaint;
};

class Mistakes : public LoadConfig, public ::testing::WithParamInterface<Mistake> {};

TEST_P(Mistakes, GetOneSentence) {
  EXPECT_EQ(complaint(std::string(GetParam().text) + minimal), GetParam().complaint);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, Mistakes,
    ::testing::Values(
        Mistake{"[optons]\n", "c.toml:1: unknown table 'optons'; did you mean 'options'?"},
        Mistake{"[host]\nthreds = 1\n",
                "c.toml:2: unknown setting 'host.threds'; did you mean 'host.threads'?"},
        Mistake{"[host]\nthreads = \"2\"\n",
                "c.toml:2: 'host.threads' must be an integer, but is a string"},
        Mistake{"[host]\nthreads = 1000\n",
                "c.toml:2: 'host.threads' must be between 0 and 256, but is 1000"},
        Mistake{"[log]\nlevel = \"loud\"\n",
                "c.toml:2: 'log.level' must be one of debug, info, warn, error, but is 'loud'"},
        Mistake{"log = 1\n", "c.toml:1: 'log' must be a table: [log]"},
        Mistake{"[listener]\nbind = \"9092\"\n",
                "c.toml:2: 'listener.bind' must be HOST:PORT, but is '9092'"},
        Mistake{"[listener]\nbind = \"::1:9092\"\n",
                "c.toml:2: 'listener.bind' must be HOST:PORT, but is '::1:9092'"},
        Mistake{"[listener]\nbind = \"a:70000\"\n",
                "c.toml:2: 'listener.bind' must be HOST:PORT, but is 'a:70000'"},
        Mistake{"[listener]\nbnd = \"a:1\"\n",
                "c.toml:2: unknown setting 'listener.bnd'; did you mean 'bind'?"},
        Mistake{"[plugins]\nsearch_path = [1]\n",
                "c.toml:2: 'plugins.search_path' must be a list of strings, but is a list"},
        Mistake{"[[listener]]\nname = \"A\"\n[[listener]]\nname = \"A\"\n",
                "c.toml:0: two listeners are named 'A'"}));

INSTANTIATE_TEST_SUITE_P(
    Plugins, Mistakes,
    ::testing::Values(
        Mistake{"[[plugin]]\nid = \"a\"\n", "c.toml:1: a [[plugin]] needs a name"},
        Mistake{"[[plugin]]\nname = \"a\"\n", "c.toml:1: plugin 'a' needs an id or a path"},
        Mistake{"[[plugin]]\nname = \"memory\"\nid = \"x\"\n",
                "c.toml:5: two plugins are named 'memory'"},
        Mistake{"[[plugin]]\nname = \"a\"\nid = \"x\"\noptinal = true\n",
                "c.toml:4: unknown key 'optinal' of a [[plugin]]; did you mean 'optional'?"},
        Mistake{"[[plugin]]\nname = \"a\"\nid = \"x\"\nenabled = 1\n",
                "c.toml:4: 'enabled' of a [[plugin]] must be a boolean, but is an integer"},
        Mistake{"[[plugin]]\nname = \"a/b\"\nid = \"x\"\n",
                "c.toml:1: 'a/b' cannot name a plugin: letters, digits, '-', '_' and '.' only, no "
                "'.' in front, and neither 'host' nor 'unknown'"},
        Mistake{"[[plugin]]\nname = \"..\"\nid = \"x\"\n",
                "c.toml:1: '..' cannot name a plugin: letters, digits, '-', '_' and '.' only, no "
                "'.' in front, and neither 'host' nor 'unknown'"}));

INSTANTIATE_TEST_SUITE_P(
    Options, Mistakes,
    ::testing::Values(
        Mistake{"[options]\na.b = 1\n\"a.b\" = 2\n",
                "c.toml:3: option 'a.b' is set twice, first in line 2"},
        Mistake{"[options]\na = [1, 2]\n", "c.toml:2: option 'a' may only list strings"},
        Mistake{"[options]\na = 2024-01-01\n", "c.toml:2: option 'a' cannot be a date or time"},
        Mistake{"[options]\nnode.id = \"x\"\n",
                "c.toml:2: option 'node.id' must be an integer, but is a string"},
        Mistake{"[options]\noffsets.topic.num.partitions = 0\n",
                "c.toml:2: invalid value '0' for option 'offsets.topic.num.partitions': Value must "
                "be at least 1"},
        Mistake{"[features]\ngroup.version = \"1\"\n",
                "c.toml:2: the level of feature 'group.version' must be an integer, but is a "
                "string"}));

TEST_F(LoadConfig, BindThatNamesNothingIsRefused) {
  EXPECT_EQ(complaint("[[plugin]]\nname = \"memory\"\nid = \"m\"\n"
                      "[bind]\nstore = \"memry\"\ngroups = [\"consumer\", \"consumer\"]\n"),
            "c.toml:0: [bind] must name a broker\n"
            "c.toml:5: 'bind.store' names 'memry', which no [[plugin]] defines; did you mean "
            "'memory'?\n"
            "c.toml:6: 'bind.groups' names 'consumer', which no [[plugin]] defines\n"
            "c.toml:6: 'bind.groups' names 'consumer', which no [[plugin]] defines\n"
            "c.toml:6: 'bind.groups' names 'consumer' twice");
}

TEST_F(LoadConfig, OnePluginTableIsNotAList) {
  EXPECT_THAT(complaint("[plugin]\nname = \"a\"\n"),
              HasSubstr("c.toml:1: each plugin is a table of its own: [[plugin]]"));
}

TEST_F(LoadConfig, AllMistakesAreReportedInFileOrder) {
  const std::string text = "[limits]\nx = 1\n[log]\nlevel = 3\n";
  EXPECT_THAT(complaint(text + minimal), HasSubstr("c.toml:2"));
  EXPECT_THAT(complaint(text + minimal), HasSubstr("c.toml:4"));
}

}  // namespace
}  // namespace muster::host
