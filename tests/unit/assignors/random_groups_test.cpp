// Properties that hold in every group, over groups from fixed seeds.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "outcome.hpp"
#include "under_test.hpp"

namespace muster::assignors {
namespace {

constexpr int seeds = 300;

class RandomGroup {
 public:
  explicit RandomGroup(int seed) : random_(static_cast<std::mt19937::result_type>(seed)) {}

  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_()) % bound; }

  Group homogeneous() {
    Group group = homogeneous_group(1 + below(30), 1 + below(8), 1);
    for (std::uint32_t& partitions : group.topics) partitions = 1 + below(20);
    make_static(group);
    return group;
  }

  // One subscription a member or, as likely, one of three.
  Group mixed() {
    Group group = homogeneous();
    const bool few = below(2) == 0;
    group.subscriptions.clear();
    const auto kinds = few ? 3u : static_cast<std::uint32_t>(group.members.size());
    for (std::uint32_t kind = 0; kind < kinds; ++kind) {
      auto& wants = group.subscriptions.emplace_back();
      for (std::uint32_t t = 0; t < group.topics.size(); ++t) {
        if (below(2) == 0) wants.push_back(t);
      }
    }
    for (std::uint32_t m = 0; m < group.members.size(); ++m) {
      group.members[m].subscription = few ? below(kinds) : m;
    }
    return group;
  }

  // Owners that no assignor would leave behind: anybody, wanting or not, and nobody.
  void scatter_owners(Group& group) {
    const auto members = static_cast<std::uint32_t>(group.members.size());
    group.current.resize(group.partition_count());
    for (std::uint32_t& owner : group.current) {
      const std::uint32_t drawn = below(members + 1);
      owner = drawn == members ? MUSTER_NONE : drawn;
    }
  }

 private:
  void make_static(Group& group) {
    for (Member& member : group.members) {
      if (below(3) == 0) member.instance = "i" + std::to_string(below(1000)) + member.id;
    }
  }

  std::mt19937 random_;
};

// The member is gone and with it its place: later members move up by one.
void remove_member(Group& group, std::uint32_t leaver) {
  group.members.erase(group.members.begin() + leaver);
  for (std::uint32_t& owner : group.current) {
    if (owner == leaver) {
      owner = MUSTER_NONE;
    } else if (owner != MUSTER_NONE && owner > leaver) {
      --owner;
    }
  }
}

class RandomGroupsUniform : public UniformAssignor {};

TEST_P(RandomGroupsUniform, AreCompleteAndEvenWhereAllWantTheSame) {
  for (int seed = 0; seed < seeds; ++seed) {
    RandomGroup random(seed);
    Group group = random.homogeneous();
    random.scatter_owners(group);

    const Owners owners = uniform.assign(group);

    ASSERT_TRUE(is_complete(group, owners)) << "seed " << seed;
    ASSERT_TRUE(is_even(group, owners)) << "seed " << seed;
  }
}

TEST_P(RandomGroupsUniform, AreCompleteAndSettledWhereSubscriptionsAreMixed) {
  for (int seed = 0; seed < seeds; ++seed) {
    RandomGroup random(seed);
    Group group = random.mixed();
    if (seed % 2 == 0) random.scatter_owners(group);

    const Owners owners = uniform.assign(group);

    ASSERT_TRUE(is_complete(group, owners)) << "seed " << seed;
    ASSERT_TRUE(is_settled(group, owners)) << "seed " << seed;
  }
}

TEST_P(RandomGroupsUniform, MoveAsFewAsEvennessAllowsWhereAllWantTheSame) {
  for (int seed = 0; seed < seeds; ++seed) {
    RandomGroup random(seed);
    Group group = random.homogeneous();
    random.scatter_owners(group);
    const auto members = static_cast<std::uint32_t>(group.members.size());
    const std::uint32_t minimum = group.partition_count() / members;
    std::uint32_t extras = group.partition_count() % members;
    std::uint32_t fewest = 0;
    for (const std::uint32_t held : loads(group, group.current)) {
      if (held <= minimum) continue;
      const std::uint32_t extra = extras > 0 ? 1 : 0;
      extras -= extra;
      fewest += held - minimum - extra;
    }

    ASSERT_EQ(moves(group, uniform.assign(group)), fewest) << "seed " << seed;
  }
}

TEST_P(RandomGroupsUniform, MoveNothingOnASecondRun) {
  for (int seed = 0; seed < seeds; ++seed) {
    RandomGroup random(seed);
    Group group = seed % 2 == 0 ? random.homogeneous() : random.mixed();
    group.current = uniform.assign(group);

    ASSERT_EQ(uniform.assign(group), group.current) << "seed " << seed;
  }
}

TEST_P(RandomGroupsUniform, MoveOnlyThePartitionsOfOneThatLeaves) {
  for (int seed = 0; seed < seeds; ++seed) {
    RandomGroup random(seed);
    Group group = random.homogeneous();
    if (group.members.size() < 2) continue;
    group.current = uniform.assign(group);
    remove_member(group, random.below(static_cast<std::uint32_t>(group.members.size())));

    const Owners owners = uniform.assign(group);

    ASSERT_EQ(moves(group, owners), 0u) << "seed " << seed;
    ASSERT_TRUE(is_complete(group, owners)) << "seed " << seed;
    ASSERT_TRUE(is_even(group, owners)) << "seed " << seed;
  }
}

TEST_P(RandomGroupsUniform, ComeOutTheSameEveryTime) {
  for (int seed = 0; seed < seeds; ++seed) {
    RandomGroup random(seed);
    Group group = seed % 2 == 0 ? random.homogeneous() : random.mixed();
    random.scatter_owners(group);

    ASSERT_EQ(uniform.assign(group), uniform.assign(group)) << "seed " << seed;
  }
}

class RandomGroupsRange : public RangeAssignor {};

TEST_P(RandomGroupsRange, AreCompleteAndContiguousWhateverTheOwnersWere) {
  for (int seed = 0; seed < seeds; ++seed) {
    RandomGroup random(seed);
    Group group = seed % 2 == 0 ? random.homogeneous() : random.mixed();
    const Owners owners = range.assign(group);
    ASSERT_TRUE(is_complete(group, owners)) << "seed " << seed;

    std::size_t first = 0;
    for (const std::uint32_t partitions : group.topics) {
      Owners runs(owners.begin() + first, owners.begin() + first + partitions);
      runs.erase(std::ranges::unique(runs).begin(), runs.end());
      Owners distinct = runs;
      std::ranges::sort(distinct);
      distinct.erase(std::ranges::unique(distinct).begin(), distinct.end());
      ASSERT_EQ(runs.size(), distinct.size()) << "seed " << seed;
      first += partitions;
    }

    random.scatter_owners(group);
    ASSERT_EQ(range.assign(group), owners) << "seed " << seed;
  }
}

MUSTER_LINKED_AND_LOADED(RandomGroupsUniform);
MUSTER_LINKED_AND_LOADED(RandomGroupsRange);

}  // namespace
}  // namespace muster::assignors
