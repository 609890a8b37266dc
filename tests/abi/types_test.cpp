// Null and empty, short tables, text.
#include <muster/abi/group_protocol.h>
#include <muster/sdk/text.hpp>
#include <muster/sdk/types.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using namespace muster::sdk;

TEST(BorderTypes, AnEmptyViewIsNotNull) {
  EXPECT_NE(to_str(std::string_view{}).data, nullptr);
  EXPECT_NE(to_bytes(Bytes{}).data, nullptr);
  EXPECT_NE(to_bytes(std::vector<std::uint8_t>{}).data, nullptr);
}

TEST(BorderTypes, NullIsNothingAndBack) {
  EXPECT_EQ(to_nullable_str(std::nullopt).data, nullptr);
  EXPECT_EQ(to_nullable_bytes(std::nullopt).data, nullptr);
  EXPECT_EQ(to_nullable_view(muster_str{nullptr, 0}), std::nullopt);
  EXPECT_FALSE(to_nullable_span(muster_bytes{nullptr, 0}).has_value());
  EXPECT_EQ(to_nullable_view(to_nullable_str(std::string_view{})), std::string_view{});
}

TEST(BorderTypes, AMemberBehindTheEndIsNotRead) {
  muster_commit commit{};
  commit.partition_count = 7;
  commit.struct_size = offsetof(muster_commit, partition_count);
  EXPECT_EQ(member_or(commit, &muster_commit::partition_count, 99U), 99U);
  commit.struct_size = sizeof commit;
  EXPECT_EQ(member_or(commit, &muster_commit::partition_count, 99U), 7U);
}

TEST(BorderTypes, ASlotThatTheHostDoesNotOfferFailsAsUnavailable) {
  muster_error_sink sink{sizeof sink, nullptr, [](void*, muster_str) {}};
  EXPECT_NO_THROW(offered(&sink, &muster_error_sink::error));
  const auto code_of = [](const muster_error_sink* table) {
    try {
      offered(table, &muster_error_sink::error);
    } catch (const Failure& failure) {
      return failure.code();
    }
    return MUSTER_OK;
  };
  sink.struct_size = offsetof(muster_error_sink, error);
  EXPECT_EQ(code_of(&sink), MUSTER_UNAVAILABLE);
  sink = {sizeof sink, nullptr, nullptr};
  EXPECT_EQ(code_of(&sink), MUSTER_UNAVAILABLE);
  EXPECT_EQ(code_of(nullptr), MUSTER_UNAVAILABLE);
}

TEST(BorderTypes, ArraysAreReadAsViews) {
  const muster_str raw[] = {to_str("a"), {nullptr, 0}, to_str("ccc")};
  const Strings strings{raw, 3};
  std::string joined;
  for (const std::string_view view : strings) joined += std::string{view} + "|";
  EXPECT_EQ(joined, "a||ccc|");
  EXPECT_TRUE((Strings{nullptr, 3}).empty());
}

TEST(BorderTypes, UuidsSurviveTheBorder) {
  Uuid id;
  id.bytes[0] = 0xFF;
  id.bytes[15] = 1;
  EXPECT_EQ(to_uuid(to_uuid(id)), id);
  EXPECT_TRUE(Uuid{}.is_zero());
  EXPECT_FALSE(id.is_zero());
}

TEST(Text, JoinsWhatLogLinesAreMadeOf) {
  const std::string name = "g1";
  EXPECT_EQ(text("group ", name, " has ", 3, " of ", std::uint64_t{1} << 63, ' ', true, " ", -0.5),
            "group g1 has 3 of 9223372036854775808 true -0.5");
}

}  // namespace
