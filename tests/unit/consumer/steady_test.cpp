// The heartbeat that nearly all are: one timer, one answer, and no memory beyond the message's.
#include <gmock/gmock.h>

#include "allocations.hpp"
#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ConsumerGroupSteady : public ::testing::TestWithParam<Door> {
 protected:
  void SetUp() override {
    rig.topic("foo", 2);
    rig.beat(joins("m1", {"foo"}).with_instance("i1").with_rack("r1"));
  }
  ConsumerRig rig{GetParam()};
};
BOTH_DOORS(ConsumerGroupSteady);

TEST_P(ConsumerGroupSteady, ItEmitsOneTimerAndNothingElse) {
  EXPECT_EQ(rig.send(beats("m1", 2)), ok("m1", 2, std::nullopt));
  EXPECT_THAT(rig.last.writes, IsEmpty());
  EXPECT_THAT(rig.last.offloads, IsEmpty());
  EXPECT_THAT(rig.last.timers, ElementsAre(testing::Timer{"session 1 g m1", 45'000}));
}

TEST_P(ConsumerGroupSteady, ToSayWhatIsKnownAlreadyIsSteadyToo) {
  EXPECT_EQ(rig.send(beats("m1", 2).with_instance("i1").with_rack("r1").with_timeout(5000).owns(
                "foo:0,1")),
            ok("m1", 2, std::nullopt));
  EXPECT_THAT(rig.last.writes, IsEmpty());
  EXPECT_EQ(rig.send(beats("m1", 2).with_regex("")), ok("m1", 2, std::nullopt));
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

// Takes everything and keeps nothing, so that only the plugin's own memory counts.
class Devour {
 public:
  Devour() {
    table_.struct_size = sizeof table_;
    table_.self = this;
    table_.timer = [](void* self, muster_str, std::uint32_t) { ++of(self).timers; };
    table_.respond = [](void* self, muster_bytes body) { of(self).answered += body.size; };
  }
  const muster_decision* table() const { return &table_; }
  int timers = 0;
  std::size_t answered = 0;

 private:
  static Devour& of(void* self) { return *static_cast<Devour*>(self); }
  muster_decision table_{};
};

// Linked only: the library has an operator new of its own.
TEST(ConsumerGroupSteadyMemory, ASteadyHeartbeatAllocatesNothing) {
  ConsumerRig rig{Door::linked};
  rig.topic("foo", 2);
  rig.beat(joins("m1", {"foo"}));
  const testing::RequestSpec spec = rig.spec_of(beats("m1", 2));
  const testing::RequestTable request(spec);
  Devour decision;
  const muster_group_protocol_v1& table = *rig.table();
  std::size_t used = 0;
  for (int i = 0; i < 3; ++i) {  // the first makes room for the answer
    const std::size_t before = allocations_so_far();
    ASSERT_EQ(table.decide(rig.shard_object(), request.table(), decision.table(), nullptr),
              MUSTER_OK);
    used = allocations_so_far() - before;
  }
  EXPECT_EQ(decision.timers, 3);
  EXPECT_GT(decision.answered, 0U);
  // What the rig's own options take for the two values that were asked for is not the plugin's.
  const muster_options& options = *rig.options.table();
  const auto taken_by = [&](std::string_view name) {
    const std::int32_t option = options.find(options.self, testing::to_str(name));
    const std::size_t before = allocations_so_far();
    options.int64(options.self, option, testing::to_str("g"));
    return allocations_so_far() - before;
  };
  EXPECT_EQ(used,
            taken_by("consumer.session.timeout.ms") + taken_by("consumer.heartbeat.interval.ms"));
}

}  // namespace
}  // namespace muster::consumer
