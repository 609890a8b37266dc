// Options: declarations of several plugins, configured values, tables.
#include "config/options.hpp"

#include "declared.hpp"

#include <gmock/gmock.h>

namespace muster::host {
namespace {

using testing::configured;
using testing::consumer_options;
using ::testing::ElementsAre;
using testing::FakePlugin;
using ::testing::HasSubstr;
using testing::host_option;

std::string errors_of(const OptionsInput& input) {
  const auto options = Options::build(input);
  return options ? "" : options.error().to_string();
}

muster_str str(std::string_view text) { return {text.data(), text.size()}; }

TEST(Options, TableFindsOnlyWhatItsPluginDeclared) {
  FakePlugin a("a");
  FakePlugin b("b");
  a.options({host_option("a.x", MUSTER_OPTION_INT64, "1")});
  b.options({host_option("b.x", MUSTER_OPTION_INT64, "2")});
  const auto options = Options::build({{a.declarer(), b.declarer()}, {}, {}});
  ASSERT_TRUE(options);

  const muster_options* table = (*options)->table_for("a");
  ASSERT_NE(table, nullptr);
  EXPECT_EQ(table->find(table->self, str("b.x")), -1);
  EXPECT_EQ(table->find(table->self, str("node.id")), -1);
  const std::int32_t x = table->find(table->self, str("a.x"));
  ASSERT_GE(x, 0);
  EXPECT_EQ(table->int64(table->self, x, {}), 1);
  EXPECT_EQ((*options)->table_for("c"), nullptr);
}

TEST(Options, TableReadsEachType) {
  FakePlugin plugin("p");
  plugin.options({host_option("p.b", MUSTER_OPTION_BOOL, "true"),
                  host_option("p.f", MUSTER_OPTION_FLOAT64, "0.5"),
                  host_option("p.l", MUSTER_OPTION_LIST, "a,b"),
                  host_option("p.n", MUSTER_OPTION_STRING, nullptr),
                  host_option("p.s", MUSTER_OPTION_STRING, "text")});
  const auto options = Options::build({{plugin.declarer()}, {}, {}});
  ASSERT_TRUE(options);
  const muster_options* table = (*options)->table_for("p");
  const auto handle = [&](std::string_view name) { return table->find(table->self, str(name)); };

  EXPECT_EQ(table->boolean(table->self, handle("p.b"), {}), 1);
  EXPECT_EQ(table->float64(table->self, handle("p.f"), {}), 0.5);
  EXPECT_EQ(table->string(table->self, handle("p.n"), {}).data, nullptr);
  const muster_str text = table->string(table->self, handle("p.s"), {});
  EXPECT_EQ(std::string(text.data, text.size), "text");
  const muster_str* items = nullptr;
  ASSERT_EQ(table->list(table->self, handle("p.l"), {}, &items), 2u);
  EXPECT_EQ(std::string(items[1].data, items[1].size), "b");
}

TEST(Options, StringReadsEveryTypeAsTextAndNoneAsEmpty) {
  FakePlugin plugin("p");
  plugin.options({host_option("p.b", MUSTER_OPTION_BOOL, "TRUE"),
                  host_option("p.f", MUSTER_OPTION_FLOAT64, "3"),
                  host_option("p.i", MUSTER_OPTION_INT64, "+7"),
                  host_option("p.l", MUSTER_OPTION_LIST, "a, b"),
                  host_option("p.n", MUSTER_OPTION_INT64, nullptr)});
  const auto options = Options::build({{plugin.declarer()}, {}, {}});
  ASSERT_TRUE(options);
  const muster_options* table = (*options)->table_for("p");
  const auto text = [&](std::string_view name) {
    const muster_str value =
        table->string(table->self, table->find(table->self, str(name)), {});
    return std::string(value.data, value.size);
  };
  EXPECT_EQ(text("p.b"), "true");
  EXPECT_EQ(text("p.f"), "3.0");
  EXPECT_EQ(text("p.i"), "7");
  EXPECT_EQ(text("p.l"), "a,b");
  EXPECT_EQ(text("p.n"), "");
}

TEST(Options, HostsOwnHaveTheTypesThatKafkaDescribesThemWith) {
  std::map<std::string, std::int32_t> types;
  for (const muster_option& option : host_options()) types[option.name] = option.config_type;
  EXPECT_EQ(types["connections.max.idle.ms"], 5);
  EXPECT_EQ(types["internal.topics.mirror"], 1);
  EXPECT_EQ(types["node.id"], 3);
  EXPECT_EQ(types["offsets.topic.num.partitions"], 3);
  EXPECT_EQ(types["socket.request.max.bytes"], 3);
}

TEST(Options, HandleThatNobodyGaveOutReadsAsNothing) {
  FakePlugin plugin("p");
  plugin.options({host_option("p.x", MUSTER_OPTION_INT64, "1")});
  const auto options = Options::build({{plugin.declarer()}, {}, {}});
  ASSERT_TRUE(options);
  const muster_options* table = (*options)->table_for("p");

  EXPECT_EQ(table->int64(table->self, -1, {}), 0);
  EXPECT_EQ(table->int64(table->self, 9999, {}), 0);
}

TEST(Options, ConfiguredValueWinsAndTheLastOfAName) {
  FakePlugin plugin("p");
  plugin.options({host_option("p.x", MUSTER_OPTION_INT64, "1")});
  auto from_set = configured("p.x", ValueKind::string, "3");
  from_set.from_command_line = true;
  const auto options = Options::build(
      {{plugin.declarer()}, {configured("p.x", ValueKind::integer, "2"), from_set}, {}});
  ASSERT_TRUE(options);

  EXPECT_EQ((*options)->int64("p.x"), 3);
  EXPECT_TRUE((*options)->is_configured(*(*options)->find("p.x")));
  EXPECT_EQ((*options)->default_text(*(*options)->find("p.x")), "1");
}

TEST(Options, UnknownNameIsNamedWithTheNearestOne) {
  EXPECT_EQ(errors_of({{}, {configured("node.di", ValueKind::integer, "1")}, {}}),
            "x.toml:7: unknown option 'node.di'; did you mean 'node.id'?");
}

TEST(Options, UnknownNameOnTheCommandLineIsComparedWithSettingsToo) {
  auto value = configured("host.data_dri", ValueKind::string, "/x");
  value.from_command_line = true;
  value.origin = {"--set host.data_dri=/x", 0};
  EXPECT_EQ(errors_of({{}, {value}, {}}),
            "--set host.data_dri=/x: unknown option 'host.data_dri'; did you mean "
            "'host.data_dir'?");
}

TEST(Options, WrongTypeSaysWhatWasWanted) {
  EXPECT_EQ(errors_of({{}, {configured("node.id", ValueKind::string, "1")}, {}}),
            "x.toml:7: option 'node.id' must be an integer, but is a string");
}

TEST(Options, ValueOutOfRangeIsRefused) {
  EXPECT_EQ(errors_of({{}, {configured("node.id", ValueKind::integer, "-1")}, {}}),
            "x.toml:7: invalid value '-1' for option 'node.id': Value must be at least 0");
}

TEST(Options, GroupOptionInTheFileIsRefusedWithItsDefault) {
  FakePlugin plugin("p");
  plugin.options(consumer_options());
  EXPECT_EQ(errors_of({{plugin.declarer()},
                       {configured("consumer.session.timeout.ms", ValueKind::integer, "1")},
                       {}}),
            "x.toml:7: 'consumer.session.timeout.ms' is set per group, by "
            "IncrementalAlterConfigs; its default for all groups is "
            "'group.consumer.session.timeout.ms'");
}

TEST(Options, HostValueMustKeepTheBoundsItSetsForGroups) {
  FakePlugin plugin("p");
  plugin.options(consumer_options());
  EXPECT_EQ(
      errors_of({{plugin.declarer()},
                 {configured("group.consumer.session.timeout.ms", ValueKind::integer, "9000")},
                 {}}),
      "x.toml:7: option 'group.consumer.session.timeout.ms' (9000) must be greater than or "
      "equal to 'group.consumer.min.session.timeout.ms' (45000)");
}

TEST(Options, HostValueMustBeAboveTheOneItNames) {
  FakePlugin plugin("p");
  plugin.options(consumer_options());
  EXPECT_EQ(
      errors_of({{plugin.declarer()},
                 {configured("group.consumer.heartbeat.interval.ms", ValueKind::integer, "45000")},
                 {}}),
      "x.toml:7: option 'group.consumer.session.timeout.ms' (45000) must be greater than "
      "'group.consumer.heartbeat.interval.ms' (45000)");
}

TEST(Options, OneNameOfTwoPluginsNeedsOneDefinition) {
  FakePlugin a("a");
  FakePlugin b("b");
  a.options({host_option("x", MUSTER_OPTION_INT64, "1")});
  b.options({host_option("x", MUSTER_OPTION_INT64, "1")});
  const auto same = Options::build({{a.declarer(), b.declarer()}, {}, {}});
  ASSERT_TRUE(same);
  EXPECT_THAT((*same)->find("x")->declared_by, ElementsAre("a", "b"));

  b.options({host_option("x", MUSTER_OPTION_INT64, "2")});
  EXPECT_EQ(errors_of({{a.declarer(), b.declarer()}, {}, {}}),
            "option 'x' is declared differently by 'a' and 'b'");
}

TEST(Options, DeclarationThatLiesIsRefused) {
  FakePlugin plugin("p");
  plugin.options({host_option("x", MUSTER_OPTION_INT64, "many")});
  EXPECT_THAT(errors_of({{plugin.declarer()}, {}, {}}),
              HasSubstr("option 'x' of plugin 'p' has a default that is not legal: 'many'"));

  auto orphan = host_option("y", MUSTER_OPTION_INT64, "1");
  orphan.above = "z";
  plugin.options({orphan});
  EXPECT_EQ(errors_of({{plugin.declarer()}, {}, {}}),
            "option 'y' of plugin 'p' refers to 'z', which nobody declares");
}

class NamedExports : public ::testing::Test {
 protected:
  NamedExports() {
    auto option = host_option("group.consumer.assignors", MUSTER_OPTION_LIST, "uniform,range");
    option.names = MUSTER_IFACE_PARTITION_ASSIGNOR;
    consumer_.options({option});
    uniform_.offers(MUSTER_IFACE_PARTITION_ASSIGNOR, "uniform");
    range_.offers(MUSTER_IFACE_PARTITION_ASSIGNOR, "range");
  }
  OptionsInput input(std::vector<ConfiguredValue> values) {
    return {{consumer_.declarer(), uniform_.declarer(), range_.declarer()}, std::move(values), {}};
  }

  FakePlugin consumer_{"consumer"};
  FakePlugin uniform_{"uniform"};
  FakePlugin range_{"range"};
};

TEST_F(NamedExports, KafkasClassNamesBecomeExportNames) {
  const auto options = Options::build(
      input({configured("group.consumer.assignors", ValueKind::list,
                        "org.apache.kafka.coordinator.group.assignor.RangeAssignor,uniform")}));
  ASSERT_TRUE(options);
  EXPECT_THAT((*options)->list("group.consumer.assignors"), ElementsAre("range", "uniform"));
}

TEST_F(NamedExports, NameThatNobodyOffersIsRefused) {
  EXPECT_EQ(errors_of(input({configured("group.consumer.assignors", ValueKind::list, "rr")})),
            "x.toml:7: invalid value 'rr' for option 'group.consumer.assignors': no loaded plugin "
            "offers 'rr' as muster.consumer.partition-assignor/1");
}

TEST_F(NamedExports, DefaultThatNamesAMissingPluginMattersOnlyWhereItIsInForce) {
  range_.offers(MUSTER_IFACE_PARTITION_ASSIGNOR, "mine");
  EXPECT_EQ(errors_of(input({})),
            "option 'group.consumer.assignors' must be set, because of its default "
            "'uniform,range': no loaded plugin offers 'range' as "
            "muster.consumer.partition-assignor/1");
  EXPECT_EQ(errors_of(input({configured("group.consumer.assignors", ValueKind::list, "mine")})),
            "");
}

TEST_F(NamedExports, NameThatTwoOfferNeedsItsDefinition) {
  range_.offers(MUSTER_IFACE_PARTITION_ASSIGNOR, "uniform");
  EXPECT_THAT(
      errors_of(input({configured("group.consumer.assignors", ValueKind::list, "uniform")})),
      HasSubstr("'uniform' is offered by 'uniform' and 'range': write uniform/uniform"));
}

TEST_F(NamedExports, DefinitionAndExportNameAreAccepted) {
  const auto options = Options::build(
      input({configured("group.consumer.assignors", ValueKind::list, "range/range")}));
  ASSERT_TRUE(options);
  EXPECT_THAT((*options)->list("group.consumer.assignors"), ElementsAre("range/range"));
}

TEST(Features, HaveTheirDefaultUnlessConfigured) {
  FakePlugin plugin("p");
  plugin.features({{"group.version", 0, 1, 1}, {"share.version", 0, 1, 0}});
  const auto options = Options::build({{plugin.declarer()}, {}, {{"group.version", {0, {}}}}});
  ASSERT_TRUE(options);

  const std::vector<FeatureLevel> features = (*options)->features().all();
  ASSERT_EQ(features.size(), 3u);
  EXPECT_EQ(features[0].name, "group.version");
  EXPECT_EQ(features[0].level, 0);
  EXPECT_EQ(features[1].name, "metadata.version") << "the host's own";
  EXPECT_EQ(features[1].level, 33);
  EXPECT_EQ(features[2].level, 0);
}

TEST(Features, AnUpdateIsSeenThroughTheOptionAtOnce) {
  FakePlugin plugin("p");
  auto level = host_option("group.version", MUSTER_OPTION_INT64, "1");
  level.flags = MUSTER_OPTION_INTERNAL;
  plugin.options({level}).features({{"group.version", 0, 1, 1}});
  const auto options = Options::build({{plugin.declarer()}, {}, {}});
  ASSERT_TRUE(options);
  const muster_options* table = (*options)->table_for("p");
  const std::int32_t handle = table->find(table->self, {"group.version", 13});
  FeatureLevels& features = (*options)->features();

  features.update("group.version", 0, 7);
  EXPECT_EQ(table->int64(table->self, handle, {}), 0);
  EXPECT_EQ(features.epoch(), 7);
  features.update("group.version", 2, 8);
  features.update("other.version", 1, 9);
  EXPECT_EQ(table->int64(table->self, handle, {}), 0) << "this build has no level 2";
  EXPECT_EQ(features.epoch(), 7);
  features.reset();
  EXPECT_EQ(table->int64(table->self, handle, {}), 1);
}

TEST(Features, LevelOutOfBoundsAndUnknownNameAreRefused) {
  FakePlugin plugin("p");
  plugin.features({{"group.version", 0, 1, 1}});
  EXPECT_EQ(errors_of({{plugin.declarer()}, {}, {{"group.version", {2, {"x.toml", 3}}}}}),
            "x.toml:3: feature 'group.version' has levels 0 to 1, not 2");
  EXPECT_EQ(errors_of({{plugin.declarer()}, {}, {{"group.versoin", {1, {"x.toml", 3}}}}}),
            "x.toml:3: unknown feature 'group.versoin'; did you mean 'group.version'?");
}

TEST(Features, OptionOfTheSameNameGetsTheLevel) {
  FakePlugin plugin("p");
  auto level = host_option("group.version", MUSTER_OPTION_INT64, "1");
  level.flags = MUSTER_OPTION_INTERNAL;
  plugin.options({level}).features({{"group.version", 0, 1, 1}});
  const auto options = Options::build({{plugin.declarer()}, {}, {{"group.version", {0, {}}}}});
  ASSERT_TRUE(options);
  EXPECT_EQ((*options)->int64("group.version"), 0);

  EXPECT_EQ(
      errors_of({{plugin.declarer()}, {configured("group.version", ValueKind::integer, "0")}, {}}),
      "x.toml:7: 'group.version' is a feature: set it in [features]");
}

}  // namespace
}  // namespace muster::host
