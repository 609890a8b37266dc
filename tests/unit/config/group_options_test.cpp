// Options of single groups: defaults, bounds, clamping, Kafka's messages.
#include "config/options.hpp"

#include "declared.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace muster::host {
namespace {

using testing::configured;
using testing::consumer_options;
using ::testing::ElementsAre;
using testing::FakePlugin;
using testing::host_option;
using ::testing::Pair;

constexpr const char* session = "consumer.session.timeout.ms";
constexpr const char* heartbeat = "consumer.heartbeat.interval.ms";

class GroupOptions : public ::testing::Test {
 protected:
  GroupOptions() : plugin_("consumer") { plugin_.options(consumer_options()); }

  void build(std::vector<ConfiguredValue> values = {}) {
    auto built = Options::build({{plugin_.declarer()}, std::move(values), {}});
    ASSERT_TRUE(built) << built.error().to_string();
    options_ = std::move(*built);
  }
  std::string verdict(const Overrides& overrides) {
    const auto good = options_->check_group(overrides);
    return good ? "" : good.error();
  }

  FakePlugin plugin_;
  std::unique_ptr<Options> options_;
};

TEST_F(GroupOptions, DefaultIsTheHostsValue) {
  build({configured("group.consumer.session.timeout.ms", ValueKind::integer, "50000")});

  EXPECT_EQ(options_->int64(session, "g"), 50000);
  EXPECT_EQ(options_->default_text(*options_->find(session)), "50000");
}

TEST_F(GroupOptions, OneGroupsValueIsNotAnothers) {
  build();
  options_->set_group("g", session, "46000");

  EXPECT_EQ(options_->int64(session, "g"), 46000);
  EXPECT_EQ(options_->int64(session, "h"), 45000);
  EXPECT_EQ(options_->int64(heartbeat, "g"), 5000);
  EXPECT_EQ(options_->int64(session), 45000);
}

TEST_F(GroupOptions, TableReadsTheGroupsValue) {
  build();
  options_->set_group("g", session, "46000");
  const muster_options* table = options_->table_for("consumer");
  const std::int32_t handle = table->find(table->self, {session, std::string_view(session).size()});

  EXPECT_EQ(table->int64(table->self, handle, {"g", 1}), 46000);
  EXPECT_EQ(table->int64(table->self, handle, {"x", 1}), 45000);
}

TEST_F(GroupOptions, ValueIsClampedWhenUsedAndKeptAsWritten) {
  build();
  options_->set_group("g", session, "100000");
  options_->set_group("h", session, "10");

  EXPECT_EQ(options_->int64(session, "g"), 60000);
  EXPECT_EQ(options_->int64(session, "h"), 45000);
  EXPECT_THAT(options_->group_overrides("g"), ElementsAre(Pair(session, "100000")));
}

TEST_F(GroupOptions, RemovedValueFallsBackToTheDefault) {
  build();
  options_->set_group("g", session, "46000");
  options_->set_group("g", session, std::nullopt);

  EXPECT_EQ(options_->int64(session, "g"), 45000);
  EXPECT_TRUE(options_->group_overrides("g").empty());
}

TEST_F(GroupOptions, NameOrValueOfAnotherPluginSetIsIgnored) {
  build();
  options_->set_group("g", "streams.session.timeout.ms", "1");
  options_->set_group("g", session, "soon");

  EXPECT_EQ(options_->int64(session, "g"), 45000);
}

TEST_F(GroupOptions, UnknownNameIsRefused) {
  build();
  EXPECT_EQ(verdict({{"consumer.session.timeout", "1"}}),
            "Unknown group config name: consumer.session.timeout");
  EXPECT_EQ(verdict({{"group.consumer.session.timeout.ms", "46000"}}),
            "Unknown group config name: group.consumer.session.timeout.ms");
}

TEST_F(GroupOptions, UnreadableValueIsRefusedInKafkasWords) {
  build();
  EXPECT_EQ(verdict({{session, "soon"}}),
            "Invalid value soon for configuration consumer.session.timeout.ms: Not a number of "
            "type INT");
  EXPECT_EQ(verdict({{heartbeat, "0"}}),
            "Invalid value 0 for configuration consumer.heartbeat.interval.ms: Value must be at "
            "least 1");
}

TEST_F(GroupOptions, ValueOutsideTheHostsBoundsIsRefused) {
  build();
  EXPECT_EQ(verdict({{session, "44999"}}),
            "consumer.session.timeout.ms must be in the range 45000 to 60000 inclusive.");
  EXPECT_EQ(verdict({{session, "60001"}}),
            "consumer.session.timeout.ms must be in the range 45000 to 60000 inclusive.");
  EXPECT_EQ(verdict({{session, "60000"}}), "");
}

TEST_F(GroupOptions, OneSidedBoundsAreToldAsSuch) {
  auto options = consumer_options();
  options[4].max_of = nullptr;
  options[5].max_of = "group.consumer.max.session.timeout.ms";
  plugin_.options(options);
  build();
  EXPECT_EQ(verdict({{session, "44999"}}),
            "consumer.session.timeout.ms must be greater than or equal to 45000");
  EXPECT_EQ(verdict({{heartbeat, "60001"}}),
            "consumer.heartbeat.interval.ms must be less than or equal to 60000");
}

TEST_F(GroupOptions, SessionMustStayAboveHeartbeatWhicheverIsSet) {
  build();
  EXPECT_EQ(verdict({{heartbeat, "45000"}}),
            "consumer.session.timeout.ms must be greater than consumer.heartbeat.interval.ms");
  EXPECT_EQ(verdict({{heartbeat, "45000"}, {session, "45001"}}), "");
}

TEST_F(GroupOptions, SingleNameTakesTheFirstOfTheHostsList) {
  auto assignors = host_option("group.streams.assignors", MUSTER_OPTION_LIST, "sticky,other");
  auto name = host_option("streams.assignor.name", MUSTER_OPTION_STRING, nullptr);
  name.scope = MUSTER_OPTION_GROUP;
  name.default_of = "group.streams.assignors";
  plugin_.options({assignors, name});
  build();

  EXPECT_EQ(options_->string("streams.assignor.name", "g"), "sticky");
}

TEST_F(GroupOptions, ManyThreadsMayReadWhileShardsSet) {
  build();
  std::atomic<bool> stop{false};
  std::atomic<int> wrong{0};
  std::thread reader([&] {
    while (!stop) {
      const std::int64_t value = options_->int64(session, "g");
      if (value != 45000 && value != 46000) ++wrong;
    }
  });
  for (int i = 0; i < 2000; ++i) {
    options_->set_group("g", session, "46000");
    options_->set_group("h" + std::to_string(i), session, "47000");
    options_->set_group("g", session, std::nullopt);
  }
  stop = true;
  reader.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace muster::host
