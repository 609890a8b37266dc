// ListConfigResources: which resources there are.
#include "config_rig.hpp"

#include <gmock/gmock.h>

namespace muster::host::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> names(const ListAnswer& answer) {
  std::vector<std::string> out;
  for (const auto& resource : answer->config_resources) {
    out.push_back(std::to_string(resource.resource_type) + "/" +
                  std::string(resource.resource_name));
  }
  return out;
}

class ListConfigResources : public ::testing::Test {
 protected:
  ListConfigResources() {
    rig_.rig().metadata.put("orders");
    rig_.alter("b", {"consumer.session.timeout.ms", set, "46000"});
    rig_.alter("a", {"consumer.session.timeout.ms", set, "46000"});
  }

  ConfigRig rig_{{configured("offsets.topic.num.partitions", ValueKind::integer, "1")}};
};

TEST_F(ListConfigResources, NoTypesMeanAll) {
  EXPECT_THAT(names(rig_.list({})), ElementsAre("32/a", "32/b", "8/3", "4/3", "2/orders"));
}

TEST_F(ListConfigResources, OnlyWhatIsAskedFor) {
  EXPECT_THAT(names(rig_.list({group_type})), ElementsAre("32/a", "32/b"));
  EXPECT_THAT(names(rig_.list({broker_type})), ElementsAre("4/3"));
  EXPECT_THAT(names(rig_.list({topic_type})), ElementsAre("2/orders"));
  EXPECT_THAT(names(rig_.list({metrics_type})), IsEmpty());
}

TEST_F(ListConfigResources, OnlyGroupsWithOverridesAreResources) {
  rig_.alter("a", {"consumer.session.timeout.ms", remove, std::nullopt});
  EXPECT_THAT(names(rig_.list({group_type})), ElementsAre("32/b"));
}

TEST_F(ListConfigResources, Version0KnowsClientMetricsOnly) {
  const auto answer = rig_.list({}, 0);
  EXPECT_EQ(answer->error_code, 0);
  EXPECT_THAT(answer->config_resources, IsEmpty());
}

TEST_F(ListConfigResources, UnknownTypeIsAnUnsupportedVersion) {
  EXPECT_EQ(rig_.list({group_type, 5})->error_code, 35);
  EXPECT_EQ(rig_.list({5})->error_code, 35);
}

TEST_F(ListConfigResources, DenialIsOfTheCluster) {
  rig_.rig().host.denied = {{10, 4, "kafka-cluster"}};
  const auto answer = rig_.list({});
  EXPECT_EQ(answer->error_code, 31);
  EXPECT_THAT(answer->config_resources, IsEmpty());
}

TEST_F(ListConfigResources, OtherShardsAddOnlyTheirGroups) {
  rig_.rig().shard.set_place(7, 50);
  const auto outcome = rig_.rig().decide(ConfigRig::list_request({}));
  const auto answer =
      ConfigRig::decode<protocol::ListConfigResourcesResponse>(*outcome.response, 1);
  EXPECT_THAT(names(answer), ElementsAre("32/a", "32/b"));
}

}  // namespace
}  // namespace muster::host::testing
