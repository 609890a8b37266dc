// Kafka 4.4.0's own outcomes, replayed.
#include <gmock/gmock.h>

#include <algorithm>

#include "kafka_cases.hpp"
#include "outcome.hpp"
#include "under_test.hpp"

namespace muster::assignors {
namespace {

const std::vector<KafkaCase>& cases(const std::string& assignor) {
  static const std::vector<KafkaCase> range = read_kafka_cases("range");
  static const std::vector<KafkaCase> uniform = read_kafka_cases("uniform");
  return assignor == "range" ? range : uniform;
}

bool is_homogeneous(const Group& group) { return group.subscriptions.size() == 1; }

std::vector<std::uint32_t> sorted_loads(const Group& group, const Owners& owners) {
  auto each = loads(group, owners);
  std::ranges::sort(each);
  return each;
}

TEST(KafkaCases, AreHundredsOfBothKinds) {
  for (const std::string assignor : {"range", "uniform"}) {
    const auto mixed = std::ranges::count_if(
        cases(assignor), [](const KafkaCase& c) { return c.group.subscriptions.size() > 1; });
    const auto all = static_cast<std::ptrdiff_t>(cases(assignor).size());
    EXPECT_GE(mixed, 200) << assignor;
    EXPECT_GE(all - mixed, 200) << assignor;
  }
}

class KafkaRange : public RangeAssignor {};

TEST_P(KafkaRange, GivesTheSameOwners) {
  for (const KafkaCase& c : cases("range")) {
    ASSERT_EQ(range.assign(c.group), c.owners) << c.name;
  }
}

class KafkaUniform : public UniformAssignor {};

TEST_P(KafkaUniform, GivesTheSameOwnersWhereKafkaMetMembersInAKnownOrder) {
  for (const KafkaCase& c : cases("uniform")) {
    if (c.order == "free") continue;
    ASSERT_EQ(uniform.assign(c.group), c.owners) << c.name;
  }
}

TEST_P(KafkaUniform, GivesTheSameLoadsAndMovesAsHashedMapsWhereAllWantTheSame) {
  for (const KafkaCase& c : cases("uniform")) {
    if (c.order != "free" || !is_homogeneous(c.group)) continue;
    const Owners owners = uniform.assign(c.group);
    ASSERT_TRUE(is_complete(c.group, owners)) << c.name;
    ASSERT_EQ(sorted_loads(c.group, owners), sorted_loads(c.group, c.owners)) << c.name;
    ASSERT_EQ(moves(c.group, owners), moves(c.group, c.owners)) << c.name;
  }
}

TEST_P(KafkaUniform, IsAsSettledAsHashedMapsAndMovesNoMoreWhereSubscriptionsAreMixed) {
  std::uint32_t moved = 0;
  std::uint32_t moved_by_kafka = 0;
  for (const KafkaCase& c : cases("uniform")) {
    if (c.order != "free" || is_homogeneous(c.group)) continue;
    const Owners owners = uniform.assign(c.group);
    ASSERT_TRUE(is_complete(c.group, owners)) << c.name;
    ASSERT_TRUE(is_settled(c.group, owners) || !is_settled(c.group, c.owners)) << c.name;
    moved += moves(c.group, owners);
    moved_by_kafka += moves(c.group, c.owners);
  }
  // Who comes first decides some moves, so cases differ by a few either way; in sum they must not.
  EXPECT_LE(moved * 100, moved_by_kafka * 101);
}

MUSTER_LINKED_AND_LOADED(KafkaRange);
MUSTER_LINKED_AND_LOADED(KafkaUniform);

}  // namespace
}  // namespace muster::assignors
