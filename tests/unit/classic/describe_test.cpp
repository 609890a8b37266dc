// DescribeGroups for classic groups.
#include <muster/protocol/codec.hpp>
#include <muster/protocol/messages/describe_groups_request.hpp>
#include <muster/protocol/messages/describe_groups_response.hpp>

#include "classic_rig.hpp"

namespace muster::classic {
namespace {

CLASSIC_TESTS(ClassicDescribe);

TEST_P(ClassicDescribe, OnlyAStableGroupShowsProtocolAndMetadata) {
  rig.join(by("a"));
  EXPECT_EQ(rig.describe(), "Empty /");
  rig.join(back("a1"));
  EXPECT_EQ(rig.describe(), "PreparingRebalance consumer/, a1 /");
  rig.pass(3000);
  EXPECT_EQ(rig.describe(), "CompletingRebalance consumer/, a1 /");
  rig.sync(syncs("a1", 1, {{"a1", "y"}}));
  EXPECT_EQ(rig.describe(), "Stable consumer/range, a1 x/y");
}

TEST_P(ClassicDescribe, TheLastAssignmentShowsUntilTheNext) {
  rig.stable({by("a"), by("b")});
  rig.join(back("a1"));
  EXPECT_EQ(rig.describe(), "PreparingRebalance consumer/, a1 /for a1, b1 /for b1");
}

TEST_P(ClassicDescribe, EveryVersionIsAnswered) {
  rig.stable({by("a").with_instance("i")});
  for (std::int16_t version = 0; version <= 6; ++version) {
    EXPECT_EQ(rig.describe("g", version), version < 4 ? "Stable consumer/range, i1 x/for i1"
                                                      : "Stable consumer/range, i1 is i x/for i1");
  }
}

class ClassicDescribeOperations : public ClassicTest {
 protected:
  protocol::DescribeGroupsResponse::DescribedGroup ask(bool operations, std::int16_t version) {
    protocol::DescribeGroupsRequest request;
    request.groups = {"g"};
    request.include_authorized_operations = operations;
    testing::RequestSpec spec;
    spec.api_key = protocol::DescribeGroupsRequest::api_key;
    spec.version = version;
    protocol::encode(request, version, spec.body);
    body = *rig.decide(spec).response;
    return protocol::decode<protocol::DescribeGroupsResponse>(body, version)->groups.front();
  }
  testing::Buffer body;
};
BOTH_DOORS(ClassicDescribeOperations);

TEST_P(ClassicDescribeOperations, AreToldWhereTheyAreAskedFor) {
  rig.stable({by("a")});
  rig.host.denied = {{6, 3, "g"}};
  EXPECT_EQ(ask(false, 5).authorized_operations, std::numeric_limits<std::int32_t>::min());
  // Read, describe, describe and alter configs; not delete.
  EXPECT_EQ(ask(true, 5).authorized_operations, 1 << 3 | 1 << 8 | 1 << 10 | 1 << 11);
}

TEST_P(ClassicDescribeOperations, WhoMayNotDescribeTheGroupSeesNothingOfIt) {
  rig.stable({by("a")});
  rig.host.denied = {{8, 3, "g"}};
  const auto told = ask(true, 5);
  EXPECT_EQ(told.error_code, 30);
  EXPECT_EQ(told.group_state, "");
  EXPECT_TRUE(told.members.empty());
  EXPECT_EQ(told.authorized_operations, std::numeric_limits<std::int32_t>::min());
}

}  // namespace
}  // namespace muster::classic
