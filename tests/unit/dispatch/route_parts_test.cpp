// RouteParts: what a route slot said, kept without copying where that is safe.
#include "dispatch/route_parts.hpp"

#include <gtest/gtest.h>

namespace muster::host {
namespace {

TEST(RouteParts, AKeyInsideTheFrameStaysThere) {
  const std::string body = "xxgroupyy";
  RouteParts routed;
  routed.frame(Bytes(reinterpret_cast<const std::uint8_t*>(body.data()), body.size()));
  routed.sink()->key(routed.sink()->self, {body.data() + 2, 5});
  EXPECT_TRUE(routed.whole());
  EXPECT_EQ(routed.key(), "group");
  EXPECT_EQ(routed.key().data(), body.data() + 2);
  EXPECT_TRUE(routed.parts().empty());
}

TEST(RouteParts, AKeyElsewhereIsCopied) {
  const std::string body = "frame";
  std::string own = "group";
  RouteParts routed;
  routed.frame(Bytes(reinterpret_cast<const std::uint8_t*>(body.data()), body.size()));
  routed.sink()->key(routed.sink()->self, {own.data(), own.size()});
  own = "other";
  EXPECT_EQ(routed.key(), "group");
}

TEST(RouteParts, AKeyThatReachesOverTheFramesEndIsCopied) {
  std::string memory = "framemore";
  RouteParts routed;
  routed.frame(Bytes(reinterpret_cast<const std::uint8_t*>(memory.data()), 5));
  routed.sink()->key(routed.sink()->self, {memory.data() + 3, 4});
  memory.assign(memory.size(), 'z');
  EXPECT_EQ(routed.key(), "memo");
}

TEST(RouteParts, AnEmptyKeyIsAKey) {
  RouteParts routed;
  routed.sink()->key(routed.sink()->self, {nullptr, 0});
  EXPECT_TRUE(routed.whole());
  EXPECT_EQ(routed.key(), "");
}

TEST(RouteParts, PartsAreKeptInTheirOrderWithBodiesOfTheirOwn) {
  std::string body = "abc";
  const auto bytes = [&] {
    return muster_bytes{reinterpret_cast<const std::uint8_t*>(body.data()), body.size()};
  };
  RouteParts routed;
  const muster_route_sink* const sink = routed.sink();
  sink->part(sink->self, MUSTER_SCOPE_RESOURCE, {"32/g", 4}, bytes());
  sink->every_shard(sink->self, bytes());
  sink->shard(sink->self, {"groups", 6}, 7, bytes());
  body = "zzz";
  EXPECT_FALSE(routed.whole());
  ASSERT_EQ(routed.parts().size(), 3u);
  const RoutePart& keyed = routed.parts()[0];
  EXPECT_EQ(keyed.kind, RoutePart::Kind::keyed);
  EXPECT_EQ(keyed.scope, MUSTER_SCOPE_RESOURCE);
  EXPECT_EQ(keyed.key, "32/g");
  EXPECT_EQ(routed.parts()[1].kind, RoutePart::Kind::every_shard);
  const RoutePart& shard = routed.parts()[2];
  EXPECT_EQ(shard.kind, RoutePart::Kind::shard);
  EXPECT_EQ(shard.key, "groups");
  EXPECT_EQ(shard.shard, 7u);
  for (const RoutePart& part : routed.parts()) {
    EXPECT_EQ(part.body, (Buffer{'a', 'b', 'c'}));
  }
}

}  // namespace
}  // namespace muster::host
