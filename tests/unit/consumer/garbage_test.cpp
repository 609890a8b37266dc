// Bytes that make no sense: refused or answered, never a crash, and never a changed shard.
#include <gtest/gtest.h>

#include <random>

#include "classic_rig.hpp"

namespace muster::consumer {
namespace {

class ConsumerGroupGarbage : public ::testing::TestWithParam<Door> {
 protected:
  testing::Buffer bytes(std::size_t most) {
    testing::Buffer out(random() % (most + 1));
    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(random());
    return out;
  }
  testing::Buffer changed(testing::Buffer bytes) {
    for (std::size_t i = 0; i <= random() % 3 && !bytes.empty(); ++i) {
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    }
    if (random() % 4 == 0) bytes.resize(random() % (bytes.size() + 1));
    return bytes;
  }
  // Routed, refused and decided, as far as the host would take it.
  void feed(testing::RequestSpec spec) {
    const testing::Routed routed = rig.route(spec);
    rig.try_refuse(spec, static_cast<std::int16_t>(random() % 130));
    for (const testing::RoutedPart& part : routed.parts) {
      spec.body = part.body;
      spec.key = part.key;
      const testing::Outcome outcome = rig.decide(spec);
      if (outcome.code == MUSTER_OK) {
        EXPECT_NE(outcome.response.has_value(), !outcome.parks.empty());
      }
    }
    rig.decide(spec);
  }

  std::mt19937 random{20260101};
  ClassicRig rig{GetParam()};
};
BOTH_DOORS(ConsumerGroupGarbage);

TEST_P(ConsumerGroupGarbage, RandomBodiesAreRefused) {
  constexpr std::int16_t apis[] = {11, 12, 13, 14, 68, 69};
  for (int i = 0; i < 8000; ++i) {
    testing::RequestSpec spec;
    spec.api_key = apis[random() % std::size(apis)];
    spec.version = static_cast<std::int16_t>(random() % 7) - 1;
    spec.body = bytes(60);
    spec.id = random();
    feed(spec);
  }
}

TEST_P(ConsumerGroupGarbage, SlightlyWrongHeartbeatsAreAnsweredOrRefused) {
  rig.topic("foo", 3);
  rig.beat(joins("m1", {"foo"}).with_instance("i1"));
  const Beat good[] = {joins("m2", {"foo", "bar"}).with_rack("r"), beats("m1", 2).owns("foo:0,1"),
                       joins_regex("m3", "f.*").with_instance("i1"), leaves("m1"),
                       beats("m1", -2).with_instance("i1")};
  for (int i = 0; i < 1500; ++i) {
    testing::RequestSpec spec = rig.spec_of(good[random() % std::size(good)]);
    spec.body = changed(spec.body);
    feed(spec);
  }
  rig.reload();
}

TEST_P(ConsumerGroupGarbage, SlightlyWrongJoinsOfClassicMembersAreAnsweredOrRefused) {
  rig.topic("foo", 3);
  rig.beat(joins("m1", {"foo"}));
  const testing::RequestSpec good[] = {rig.spec_of_join(join_of("c1").owning("foo:0,1")),
                                       rig.spec_of_join(join_of("").with_instance("i1"))};
  for (int i = 0; i < 1500; ++i) {
    testing::RequestSpec spec = good[random() % std::size(good)];
    spec.body = changed(spec.body);
    spec.id = 5000U + static_cast<std::uint64_t>(i);
    spec.key = "g";
    const testing::Outcome outcome = rig.decide(spec);
    if (outcome.code == MUSTER_OK && !outcome.handed_on) {
      EXPECT_NE(outcome.response.has_value(), !outcome.parks.empty());
    }
  }
  rig.reload();
}

TEST_P(ConsumerGroupGarbage, SlightlyWrongExportsOfClassicGroupsAreTakenOrRefused) {
  rig.topic("foo", 4);
  rig.own_by_classic(7, {{"c1", "foo:0,1"}, {"c2", "foo:2,3", {"foo"}, "i1"}});
  const auto good = rig.classic.export_writes;
  Beat join = joins("m1", {"foo"});
  join.owner = "classic";
  for (int i = 0; i < 1500; ++i) {
    rig.classic.export_writes = good;
    auto& [key, value] = rig.classic.export_writes[random() % good.size()];
    value = changed(value);
    rig.own("g", rig.classic);
    const testing::Outcome outcome = rig.decide(rig.spec_of(join));
    if (!outcome.writes.empty()) rig.reload();
    rig.shard.stored.clear();
    rig.reload_changed();
  }
}

TEST_P(ConsumerGroupGarbage, RandomRecordsAndNotesAreRefused) {
  for (int i = 0; i < 4000; ++i) {
    testing::Buffer key = bytes(30);
    if (random() % 2 == 0) {
      const std::uint8_t types[] = {3, 4, 5, 6, 7, 8, 16};
      key.insert(key.begin(), {0, types[random() % std::size(types)], 0, 1, 'g'});
    }
    std::optional<testing::Buffer> value;
    if (random() % 4 != 0) value = bytes(50);
    rig.replay(random() % 3 == 0, key, value);
  }
  rig.send(joins("m1", {"foo"}));
}

TEST_P(ConsumerGroupGarbage, SlightlyWrongRecordsAreReadOrRefused) {
  rig.topic("foo", 3);
  rig.beat(joins("m1", {"foo"}).with_instance("i1"));
  rig.pass(1000);
  rig.beat(joins_regex("m2", "f.*"));
  rig.match();
  rig.beat(beats("m1", 2));
  const auto stored = rig.shard.stored;
  for (int i = 0; i < 2000; ++i) {
    auto one = std::next(stored.begin(), static_cast<std::ptrdiff_t>(random() % stored.size()));
    rig.replay(false, random() % 3 == 0 ? changed(one->first) : one->first,
               changed(one->second.second));
    if (random() % 50 == 0) rig.reload_changed();
  }
  rig.digest(MUSTER_DIGEST_DURABLE);
}

TEST_P(ConsumerGroupGarbage, RandomWorkTasksAndTokensAreRefused) {
  rig.topic("foo", 3);
  rig.send(joins_regex("m1", "f.*"));
  for (int i = 0; i < 2000; ++i) {
    testing::ByteCollector result;
    testing::ErrorText error;
    const testing::Buffer input = changed(rig.matches.front().input);
    rig.table()->work(rig.self(), testing::to_str("work/regex"), testing::to_bytes(input),
                      result.table(), error.table());
    rig.on_task({"regex g", random(), "work/regex"}, MUSTER_OK,
                testing::to_bytes(changed(result.bytes)));
  }
  testing::ByteCollector none;
  testing::ErrorText why;
  EXPECT_EQ(rig.table()->work(rig.self(), testing::to_str("work/other"),
                              testing::to_bytes(testing::Buffer{}), none.table(), why.table()),
            MUSTER_INVALID_ARGUMENT);
  EXPECT_TRUE(rig.on_expired(4711).completions.empty());
  EXPECT_EQ(rig.on_task({"what", 1, "work/regex"}, MUSTER_OK, {nullptr, 0}).code,
            MUSTER_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace muster::consumer
