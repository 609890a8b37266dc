// Text to values, with Kafka's reasons.
#include "config/option_value.hpp"

#include "declared.hpp"

#include <gmock/gmock.h>

namespace muster::host {
namespace {

using ::testing::ElementsAre;
using testing::host_option;

TEST(OptionValue, ReadsBooleansWithoutCase) {
  const auto option = host_option("x", MUSTER_OPTION_BOOL, nullptr);

  EXPECT_TRUE(parse_option(option, " TRUE ")->boolean);
  EXPECT_EQ(parse_option(option, "False")->text, "false");
  EXPECT_EQ(parse_option(option, "1").error(), "Expected value to be either true or false");
}

TEST(OptionValue, IntegerIsAsWideAsItsConfigType) {
  auto option = host_option("x", MUSTER_OPTION_INT64, nullptr);

  EXPECT_EQ(parse_option(option, "2147483647")->integer, 2147483647);
  EXPECT_EQ(parse_option(option, "2147483648").error(), "Not a number of type INT");
  EXPECT_EQ(parse_option(option, "12x").error(), "Not a number of type INT");
  EXPECT_EQ(parse_option(option, "").error(), "Not a number of type INT");
  option.config_type = 5;
  EXPECT_EQ(parse_option(option, "2147483648")->integer, 2147483648);
}

TEST(OptionValue, KeepsRanges) {
  auto option = host_option("x", MUSTER_OPTION_INT64, nullptr);
  option.min = "2";
  option.max = "9";

  EXPECT_EQ(parse_option(option, "2")->integer, 2);
  EXPECT_EQ(parse_option(option, "1").error(), "Value must be at least 2");
  EXPECT_EQ(parse_option(option, "10").error(), "Value must be no more than 9");
}

TEST(OptionValue, FloatingRangesAreNotRounded) {
  auto option = host_option("x", MUSTER_OPTION_FLOAT64, nullptr);
  option.max = "0.5";

  EXPECT_EQ(parse_option(option, "0.5")->floating, 0.5);
  EXPECT_EQ(parse_option(option, "0.500001").error(), "Value must be no more than 0.5");
  EXPECT_EQ(parse_option(option, "nan").error(), "Not a number of type DOUBLE");
}

TEST(OptionValue, DoublesAreSpelledAsJavaDoes) {
  const auto option = host_option("x", MUSTER_OPTION_FLOAT64, nullptr);

  EXPECT_EQ(parse_option(option, "3")->text, "3.0");
  EXPECT_EQ(parse_option(option, "0.25")->text, "0.25");
}

TEST(OptionValue, ListsAreSplitAtCommasAndTrimmed) {
  const auto option = host_option("x", MUSTER_OPTION_LIST, nullptr);

  const auto value = parse_option(option, " a , b,");
  ASSERT_TRUE(value);
  EXPECT_THAT(value->items, ElementsAre("a", "b", ""));
  EXPECT_EQ(value->text, "a,b,");
  EXPECT_EQ(value->views.size(), 3u);
  EXPECT_TRUE(parse_option(option, "")->items.empty());
}

TEST(OptionValue, ViewsPointIntoTheValueAfterAMove) {
  const auto option = host_option("x", MUSTER_OPTION_LIST, nullptr);
  auto value = parse_option(option, "a,b");

  const OptionValue moved = std::move(*value);
  EXPECT_EQ(moved.views[1].data, moved.items[1].data());
  const OptionValue copied = moved.copy();
  EXPECT_EQ(copied.views[1].data, copied.items[1].data());
}

TEST(OptionValue, LegalWordsAreComparedWithoutCaseAndSpelledAsDeclared) {
  auto option = host_option("x", MUSTER_OPTION_STRING, nullptr);
  option.one_of = "disabled,bidirectional";

  EXPECT_EQ(parse_option(option, "BiDirectional")->text, "bidirectional");
  EXPECT_EQ(parse_option(option, "both").error(), "String must be one of: disabled, bidirectional");
}

}  // namespace
}  // namespace muster::host
