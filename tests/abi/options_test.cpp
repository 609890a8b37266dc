// Declared options, and the handles that read them.
#include <muster/sdk/options.hpp>
#include <muster/testing/rig_host.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

namespace sdk = muster::sdk;

constexpr muster_option declared[] = {
    sdk::int_option("x.wait.ms").by_default("250").range("0", "9").doc("how long").since("0.1.0"),
    sdk::int_option("x.group.wait.ms").per_group().default_of("x.wait.ms"),
    sdk::bool_option("x.on").by_default("true").internal(),
    sdk::double_option("x.share").by_default("0.5"),
    sdk::string_option("x.mode").by_default("a").one_of("a,b"),
    sdk::list_option("x.names").by_default("range,uniform"),
};

class OptionHandles : public testing::Test {
 protected:
  const muster_export export_{"i/1", "n", nullptr, declared, std::size(declared), nullptr, 0};
  muster::testing::RigOptions values{export_};
  const sdk::Options options{values.table()};
};

TEST(DeclaredOptions, SayWhatTheBorderSays) {
  EXPECT_STREQ(declared[0].name, "x.wait.ms");
  EXPECT_EQ(declared[0].type, MUSTER_OPTION_INT64);
  EXPECT_EQ(declared[0].scope, MUSTER_OPTION_HOST);
  EXPECT_EQ(declared[0].config_type, 3);
  EXPECT_STREQ(declared[0].default_value, "250");
  EXPECT_STREQ(declared[0].min, "0");
  EXPECT_STREQ(declared[0].max, "9");
  EXPECT_STREQ(declared[0].doc, "how long");
  EXPECT_STREQ(declared[0].since, "0.1.0");
  EXPECT_EQ(declared[1].scope, MUSTER_OPTION_GROUP);
  EXPECT_STREQ(declared[1].default_of, "x.wait.ms");
  EXPECT_EQ(declared[2].flags, MUSTER_OPTION_INTERNAL);
  EXPECT_STREQ(declared[4].one_of, "a,b");
}

TEST_F(OptionHandles, ReadEveryType) {
  EXPECT_EQ((sdk::Int64Option{options, "x.wait.ms"}()), 250);
  EXPECT_EQ((sdk::BoolOption{options, "x.on"}()), true);
  EXPECT_EQ((sdk::Float64Option{options, "x.share"}()), 0.5);
  EXPECT_EQ((sdk::StringOption{options, "x.mode"}()), "a");
  std::vector<std::string> names;
  const sdk::ListOption list{options, "x.names"};
  for (const std::string_view name : list()) names.emplace_back(name);
  EXPECT_EQ(names, (std::vector<std::string>{"range", "uniform"}));
}

TEST_F(OptionHandles, ReadTheValueOfTheGroup) {
  const sdk::Int64Option wait{options, "x.group.wait.ms"};
  values.set("x.group.wait.ms", "7", "g");
  EXPECT_EQ(wait("g"), 7);
  EXPECT_EQ(wait("other"), 250);
}

TEST_F(OptionHandles, AnUndeclaredOptionIsABugThatNamesIt) {
  try {
    sdk::Int64Option{options, "x.wiat.ms"};
    FAIL() << "found an option that is not there";
  } catch (const sdk::Failure& failure) {
    EXPECT_EQ(failure.code(), MUSTER_INTERNAL);
    EXPECT_NE(std::string{failure.what()}.find("x.wiat.ms"), std::string::npos);
  }
}

}  // namespace
