// What rack-aware assignments promise, over groups from fixed seeds and against a plain model.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "outcome.hpp"
#include "rack_model.hpp"
#include "under_test.hpp"

namespace muster::assignors {
namespace {

constexpr int seeds = 1500;

class RackedGroup {
 public:
  explicit RackedGroup(int seed) : random_(static_cast<std::mt19937::result_type>(seed)) {
    racks_ = 1 + below(below(8) == 0 ? 20 : 5);
    replicas_ = 1 + below(std::min(racks_, 3U));
  }

  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_()) % bound; }

  Group homogeneous() {
    Group group = homogeneous_group(1 + below(12), 1 + below(5), 1);
    for (std::uint32_t& partitions : group.topics) partitions = 1 + below(12);
    add_racks(group);
    return group;
  }

  // Topics of few sizes, so that some are co-partitioned; half of them aligned.
  Group co_partitioned() {
    Group group = homogeneous_group(1 + below(8), 1 + below(6), 1);
    for (std::uint32_t& partitions : group.topics) partitions = 4 + 3 * below(2);
    add_racks(group);
    return group;
  }

  Group mixed() {
    Group group = homogeneous();
    const auto kinds = 2 + below(3);
    group.subscriptions.clear();
    for (std::uint32_t kind = 0; kind < kinds; ++kind) {
      auto& wants = group.subscriptions.emplace_back();
      for (std::uint32_t t = 0; t < group.topics.size(); ++t) {
        if (below(2) == 0) wants.push_back(t);
      }
    }
    for (Member& member : group.members) member.subscription = below(kinds);
    return group;
  }

  void scatter_owners(Group& group) {
    const auto members = static_cast<std::uint32_t>(group.members.size());
    group.current.resize(group.partition_count());
    for (std::uint32_t& owner : group.current) {
      const std::uint32_t drawn = below(members + 1);
      owner = drawn == members ? MUSTER_NONE : drawn;
    }
  }

 private:
  // One member in eight has no rack, one in twenty a rack without replicas.
  void add_racks(Group& group) {
    for (Member& member : group.members) {
      if (below(8) == 0) continue;
      member.rack = rack_name(below(20) == 0 ? 30 : below(racks_));
    }
    group.racks.resize(group.partition_count());
    for (auto& racks : group.racks) {
      if (below(15) == 0) continue;
      for (std::uint32_t i = 0; i < replicas_; ++i) racks.push_back(below(racks_));
      std::ranges::sort(racks);
      racks.erase(std::ranges::unique(racks).begin(), racks.end());
    }
  }

  std::mt19937 random_;
  std::uint32_t racks_ = 1;
  std::uint32_t replicas_ = 1;
};

// In its rack a partition is worth `in_rack`, and with whom it is now `kept`.
Sharing even_sharing(const Group& group, std::int64_t in_rack, std::int64_t kept) {
  const auto members = static_cast<std::uint32_t>(group.members.size());
  Sharing sharing;
  sharing.quota.assign(members, group.partition_count() / members);
  sharing.extras = group.partition_count() % members;
  for (std::uint32_t p = 0; p < group.partition_count(); ++p) {
    auto& worth = sharing.worth.emplace_back(members);
    for (std::uint32_t m = 0; m < members; ++m) {
      if (is_in_rack(group, p, m)) worth[m] += in_rack;
      if (!group.current.empty() && group.current[p] == m) worth[m] += kept;
    }
  }
  return sharing;
}

class RandomRacksUniform : public RackAwareUniform {};

TEST_P(RandomRacksUniform, PutAsManyInTheirRacksAsEvennessAllows) {
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    Group group = random.homogeneous();
    if (seed % 2 == 0) random.scatter_owners(group);

    const Owners owners = uniform.assign(group);

    ASSERT_TRUE(is_complete(group, owners)) << "seed " << seed;
    ASSERT_TRUE(is_even(group, owners)) << "seed " << seed;
    ASSERT_EQ(count_in_rack(group, owners), greatest_worth(even_sharing(group, 1, 0)))
        << "seed " << seed;
  }
}

struct Kept {
  std::int64_t ours = 0;
  std::int64_t at_best = 0;  // with as many in their racks
};

void count_kept(const Group& group, const Owners& owners, Kept& kept) {
  for (std::size_t p = 0; p < owners.size(); ++p) {
    kept.ours += owners[p] == group.current[p] ? 1 : 0;
  }
  kept.at_best += greatest_worth(even_sharing(group, 1000, 1)) % 1000;
}

TEST_P(RandomRacksUniform, MoveLittleMoreThanEvennessAndRacksAsk) {
  Kept kept;
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    Group group = random.homogeneous();
    random.scatter_owners(group);
    count_kept(group, uniform.assign(group), kept);
  }
  EXPECT_LE(kept.ours, kept.at_best);
  EXPECT_GE(kept.ours * 100, kept.at_best * 95);
}

TEST_P(RandomRacksUniform, MoveHardlyMoreThanNeededForOneThatJoinsOrLeaves) {
  Kept kept;
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    Group group = random.homogeneous();
    if (group.members.size() < 3) continue;
    const Member last = group.members.back();
    const auto leaver = static_cast<std::uint32_t>(group.members.size()) - 1;
    if (seed % 2 == 0) group.members.pop_back();
    group.current = uniform.assign(group);
    if (seed % 2 == 0) {
      group.members.push_back(last);
    } else {
      group.members.pop_back();
      std::ranges::replace(group.current, leaver, MUSTER_NONE);
    }
    count_kept(group, uniform.assign(group), kept);
  }
  EXPECT_LE(kept.ours, kept.at_best);
  EXPECT_GE(kept.ours * 100, kept.at_best * 99);
}

TEST_P(RandomRacksUniform, MoveNothingOnASecondRun) {
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    Group group = seed % 2 == 0 ? random.homogeneous() : random.mixed();
    if (seed % 3 == 0) random.scatter_owners(group);
    group.current = uniform.assign(group);

    ASSERT_EQ(uniform.assign(group), group.current) << "seed " << seed;
  }
}

TEST_P(RandomRacksUniform, LeaveMixedLoadsAsTheyAreWithoutRacksAndAreNeverWorse) {
  const Assignor without_racks("uniform", GetParam());
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    Group group = random.mixed();
    if (seed % 2 == 0) random.scatter_owners(group);

    const Owners owners = uniform.assign(group);

    ASSERT_TRUE(is_complete(group, owners)) << "seed " << seed;
    ASSERT_TRUE(is_settled(group, owners)) << "seed " << seed;
    const Owners others = without_racks.assign(group);
    ASSERT_EQ(loads(group, owners), loads(group, others)) << "seed " << seed;
    ASSERT_GE(count_in_rack(group, owners), count_in_rack(group, others)) << "seed " << seed;
  }
}

TEST_P(RandomRacksUniform, ComeOutAsWithoutRacksWhereNobodyHasOne) {
  const Assignor without_racks("uniform", GetParam());
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    Group group = seed % 2 == 0 ? random.homogeneous() : random.mixed();
    random.scatter_owners(group);
    for (Member& member : group.members) member.rack.reset();

    ASSERT_EQ(uniform.assign(group), without_racks.assign(group)) << "seed " << seed;
  }
}

class RandomRacksRange : public RackAwareRange {};

// How many partitions of each topic each member has.
std::vector<std::vector<std::uint32_t>> counts_by_topic(const Group& group, const Owners& owners) {
  std::vector<std::vector<std::uint32_t>> counts;
  std::size_t p = 0;
  for (const std::uint32_t partitions : group.topics) {
    auto& each = counts.emplace_back(group.members.size());
    for (std::uint32_t i = 0; i < partitions; ++i, ++p) {
      if (owners[p] != MUSTER_NONE) ++each[owners[p]];
    }
  }
  return counts;
}

Owners of_topic(const Group& group, const Owners& owners, std::uint32_t topic) {
  std::size_t first = 0;
  for (std::uint32_t t = 0; t < topic; ++t) first += group.topics[t];
  return {owners.begin() + first, owners.begin() + first + group.topics[topic]};
}

TEST_P(RandomRacksRange, LeaveEveryMemberAsMuchOfEachTopicAsWithoutRacks) {
  const Assignor without_racks("range", GetParam());
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    const Group group = seed % 2 == 0 ? random.co_partitioned() : random.mixed();

    const Owners owners = range.assign(group);

    const Owners others = without_racks.assign(group);
    ASSERT_TRUE(is_complete(group, owners)) << "seed " << seed;
    ASSERT_EQ(counts_by_topic(group, owners), counts_by_topic(group, others)) << "seed " << seed;
    ASSERT_GE(count_in_rack(group, owners), count_in_rack(group, others)) << "seed " << seed;
  }
}

TEST_P(RandomRacksRange, KeepTopicsCoPartitionedThatAreSoWithoutRacks) {
  const Assignor without_racks("range", GetParam());
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    const Group group = seed % 2 == 0 ? random.co_partitioned() : random.mixed();

    const Owners owners = range.assign(group);

    const Owners others = without_racks.assign(group);
    for (std::uint32_t t = 1; t < group.topics.size(); ++t) {
      for (std::uint32_t u = 0; u < t; ++u) {
        if (of_topic(group, others, t) != of_topic(group, others, u)) continue;
        ASSERT_EQ(of_topic(group, owners, t), of_topic(group, owners, u)) << "seed " << seed;
      }
    }
  }
}

// The most in-rack partitions of all topics of `partitions` partitions, if they go together.
std::int64_t greatest_together(const Group& group, const Owners& ranges, std::uint32_t partitions) {
  Sharing sharing;
  sharing.worth.assign(partitions, std::vector<std::int64_t>(group.members.size()));
  sharing.quota.assign(group.members.size(), 0);
  std::uint32_t first = 0;
  for (const std::uint32_t count : group.topics) {
    for (std::uint32_t i = 0; count == partitions && i < count; ++i) {
      for (std::uint32_t m = 0; m < group.members.size(); ++m) {
        sharing.worth[i][m] += is_in_rack(group, first + i, m) ? 1 : 0;
      }
    }
    if (count == partitions) {
      std::ranges::fill(sharing.quota, 0U);
      for (std::uint32_t i = 0; i < count; ++i) ++sharing.quota[ranges[first + i]];
    }
    first += count;
  }
  return greatest_worth(sharing);
}

TEST_P(RandomRacksRange, PutAsManyInTheirRacksAsCoPartitioningAllows) {
  const Assignor without_racks("range", GetParam());
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    const Group group = random.co_partitioned();

    const std::int64_t in_rack = count_in_rack(group, range.assign(group));

    const Owners ranges = without_racks.assign(group);
    ASSERT_EQ(in_rack, greatest_together(group, ranges, 4) + greatest_together(group, ranges, 7))
        << "seed " << seed;
  }
}

TEST_P(RandomRacksRange, PutAsManyOfEachTopicInTheirRacksAsCanBeWhereTopicsGoAlone) {
  Settings settings = by_racks;
  settings["group.consumer.assignor.range.co.partitioned"] = "false";
  const Assignor alone("range", GetParam(), settings);
  const Assignor without_racks("range", GetParam());
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    const Group group = seed % 2 == 0 ? random.homogeneous() : random.co_partitioned();

    const Owners owners = alone.assign(group);

    const Owners ranges = without_racks.assign(group);
    ASSERT_EQ(counts_by_topic(group, owners), counts_by_topic(group, ranges)) << "seed " << seed;
    std::int64_t greatest = 0;
    Group one = group;
    std::size_t first = 0;
    for (const std::uint32_t partitions : group.topics) {
      one.topics = {partitions};
      one.racks.assign(group.racks.begin() + first, group.racks.begin() + first + partitions);
      const Owners own(ranges.begin() + first, ranges.begin() + first + partitions);
      greatest += greatest_together(one, own, partitions);
      first += partitions;
    }
    ASSERT_EQ(count_in_rack(group, owners), greatest) << "seed " << seed;
  }
}

TEST_P(RandomRacksRange, ShareOwnersWhereReplicasAreAlikeEvenWhereTopicsGoAlone) {
  Settings settings = by_racks;
  settings["group.consumer.assignor.range.co.partitioned"] = "false";
  const Assignor alone("range", GetParam(), settings);
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    Group group = random.co_partitioned();
    std::uint32_t other = 0;
    std::size_t first = 0;
    for (std::uint32_t t = 0; t < group.topics.size(); first += group.topics[t++]) {
      if (group.topics[t] != group.topics[0]) continue;
      std::copy_n(group.racks.begin(), group.topics[0], group.racks.begin() + first);
      other = t;
    }

    const Owners owners = alone.assign(group);

    ASSERT_EQ(of_topic(group, owners, other), of_topic(group, owners, 0)) << "seed " << seed;
  }
}

TEST_P(RandomRacksRange, ComeOutTheSameWhateverTheOwnersWere) {
  for (int seed = 0; seed < seeds; ++seed) {
    RackedGroup random(seed);
    Group group = random.co_partitioned();
    const Owners owners = range.assign(group);
    random.scatter_owners(group);

    ASSERT_EQ(range.assign(group), owners) << "seed " << seed;
  }
}

MUSTER_LINKED_AND_LOADED(RandomRacksUniform);
MUSTER_LINKED_AND_LOADED(RandomRacksRange);

}  // namespace
}  // namespace muster::assignors
