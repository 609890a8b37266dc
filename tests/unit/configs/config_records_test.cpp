// The record of a group's overrides, byte by byte, and bytes that are none.
#include "dispatch/configs_records.hpp"

#include "config_rig.hpp"

#include <gmock/gmock.h>

namespace muster::host::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(ConfigRecords, KeyBeginsWithTypeAndGroup) {
  EXPECT_THAT(group_config_key("ab"), ElementsAre(0x30, 0x01, 0, 2, 'a', 'b'));
  EXPECT_EQ(read_group_config_key(group_config_key("ab")), "ab");
}

TEST(ConfigRecords, ValueIsVersionCountAndPairs) {
  const Buffer value = group_config_value({{"n", "1"}});
  EXPECT_THAT(value, ElementsAre(0, 0, 0, 0, 0, 1, 0, 1, 'n', 0, 1, '1'));
  const auto read = read_group_config_value(value);
  ASSERT_TRUE(read);
  EXPECT_THAT(*read, ElementsAre(Pair("n", "1")));
}

TEST(ConfigRecords, BytesThatAreCutOrTooManyAreNone) {
  for (const Buffer& whole : {group_config_key("ab"), group_config_value({{"n", "1"}})}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      const Bytes cut(whole.data(), size);
      EXPECT_FALSE(read_group_config_key(cut)) << size;
      EXPECT_FALSE(read_group_config_value(cut)) << size;
    }
    Buffer more = whole;
    more.push_back(0);
    EXPECT_FALSE(read_group_config_key(more));
    EXPECT_FALSE(read_group_config_value(more));
  }
}

TEST(ConfigRecords, UnknownTypeVersionAndNotesAreCorrupt) {
  ConfigRig rig;
  auto& protocol = rig.rig();
  const Buffer key = group_config_key("g");
  const Buffer value = group_config_value({{"n", "1"}});
  Buffer other_type = key;
  other_type[1] = 0x02;
  Buffer other_version = value;
  other_version[1] = 9;

  EXPECT_EQ(protocol.replay(false, other_type, value), MUSTER_CORRUPT);
  EXPECT_EQ(protocol.replay(false, key, other_version), MUSTER_CORRUPT);
  EXPECT_EQ(protocol.replay(true, key, value), MUSTER_CORRUPT);
  EXPECT_EQ(protocol.replay(false, key, value), MUSTER_OK);
  EXPECT_EQ(protocol.replay(false, key, std::nullopt), MUSTER_OK);
  EXPECT_EQ(protocol.replay(false, key, std::nullopt), MUSTER_OK);
}

TEST(ConfigRecords, OptionOfAPluginThatIsGoneIsKept) {
  ConfigRig rig;
  rig.rig().replay(false, group_config_key("g"), group_config_value({{"gone.option", "1"}}));
  EXPECT_EQ(rig.alter("g", {"consumer.session.timeout.ms", set, "46000"}),
            "40 Unknown group config name: gone.option");
  EXPECT_EQ(rig.alter("g", {"gone.option", remove, std::nullopt}), "");
}

}  // namespace
}  // namespace muster::host::testing
