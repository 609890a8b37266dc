// route, join and refuse: who gets which part, and what becomes of the parts.
#include "config_rig.hpp"

#include <gmock/gmock.h>

namespace muster::host::testing {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> keys(const muster::testing::Routed& routed) {
  std::vector<std::string> out;
  for (const auto& part : routed.parts) out.push_back(part.key);
  return out;
}

TEST(RouteConfigs, OneResourceIsOneKeyAndNoCopy) {
  ConfigRig rig;
  const auto routed = rig.rig().route(rig.describe_request({{group_type, "my/group"}}));
  EXPECT_THAT(keys(routed), ElementsAre("32/my/group"));
  EXPECT_TRUE(routed.parts.at(0).whole);
}

TEST(RouteConfigs, EachResourceIsAPartOfItsOwn) {
  ConfigRig rig;
  const auto routed =
      rig.rig().route(rig.describe_request({{group_type, "g"}, {topic_type, "t"}}, true, 1));
  EXPECT_THAT(keys(routed), ElementsAre("32/g", "2/t"));
  for (const auto& part : routed.parts) EXPECT_EQ(part.scope, MUSTER_SCOPE_RESOURCE);
  const auto body = ConfigRig::decode<protocol::DescribeConfigsRequest>(routed.parts.at(1).body, 1);
  ASSERT_EQ(body->resources.size(), 1u);
  EXPECT_EQ(body->resources[0].resource_name, "t");
  EXPECT_TRUE(body->include_synonyms);
}

TEST(RouteConfigs, DuplicatesStayTogetherOutOfEverybodysReach) {
  ConfigRig rig;
  const auto routed = rig.rig().route(rig.alter_request(
      {{topic_type, "t", {}}, {group_type, "g", {}}, {topic_type, "t", {}}}, true));
  EXPECT_THAT(keys(routed), ElementsAre("0/", "32/g"));
  const auto body =
      ConfigRig::decode<protocol::IncrementalAlterConfigsRequest>(routed.parts.at(0).body, 1);
  EXPECT_EQ(body->resources.size(), 2u);
  EXPECT_TRUE(body->validate_only);
}

TEST(RouteConfigs, GroupsAreListedFromEveryShard) {
  ConfigRig rig;
  EXPECT_EQ(rig.rig().route(ConfigRig::list_request({})).parts.size(), 50u);
  EXPECT_THAT(keys(rig.rig().route(ConfigRig::list_request({broker_type}))), ElementsAre("0/"));
}

TEST(RouteConfigs, NothingAskedIsNothingAnswered) {
  ConfigRig rig;
  EXPECT_TRUE(rig.describe({})->results.empty());
  EXPECT_TRUE(rig.alter(std::vector<Resource>{})->responses.empty());
}

TEST(RouteConfigs, BodyThatCannotBeReadIsRefused) {
  ConfigRig rig;
  for (const std::int16_t api : {32, 44, 74}) {
    muster::testing::RequestSpec spec;
    spec.api_key = api;
    spec.version = 1;
    spec.body = {0xff, 0xff};
    EXPECT_EQ(rig.rig().route(spec).code, MUSTER_INVALID_ARGUMENT) << api;
    if (api == 74) continue;
    EXPECT_EQ(rig.rig().try_refuse(spec, 14).first, MUSTER_INVALID_ARGUMENT) << api;
  }
}

TEST(RefuseConfigs, EveryResourceGetsTheError) {
  ConfigRig rig;
  const auto described = ConfigRig::decode<protocol::DescribeConfigsResponse>(
      rig.rig().refuse(rig.describe_request({{group_type, "g"}, {group_type, "h"}}), 14), 4);
  ASSERT_EQ(described->results.size(), 2u);
  EXPECT_EQ(described->results[1].error_code, 14);
  EXPECT_EQ(described->results[1].resource_name, "h");

  const auto altered = ConfigRig::decode<protocol::IncrementalAlterConfigsResponse>(
      rig.rig().refuse(rig.alter_request({{group_type, "g", {}}}), 15), 1);
  EXPECT_EQ(altered->responses.at(0).error_code, 15);

  const auto listed = ConfigRig::decode<protocol::ListConfigResourcesResponse>(
      rig.rig().refuse(ConfigRig::list_request({}), 14), 1);
  EXPECT_EQ(listed->error_code, 14);
}

TEST(JoinConfigs, OneRefusedShardRefusesTheList) {
  ConfigRig rig;
  const auto spec = ConfigRig::list_request({});
  const auto good = *rig.rig().decide(spec).response;
  const auto answer = ConfigRig::decode<protocol::ListConfigResourcesResponse>(
      rig.rig().join(spec, {good, rig.rig().refuse(spec, 14), good}), 1);
  EXPECT_EQ(answer->error_code, 14);
}

TEST(JoinConfigs, GroupsOfAllShardsComeBeforeTheRest) {
  ConfigRig rig;
  rig.alter("g", {"consumer.session.timeout.ms", set, "46000"});
  const auto spec = ConfigRig::list_request({});
  const auto first = *rig.rig().decide(spec).response;
  rig.rig().shard.set_place(1, 2);
  const auto second = *rig.rig().decide(spec).response;
  const auto answer = ConfigRig::decode<protocol::ListConfigResourcesResponse>(
      rig.rig().join(spec, {first, second}), 1);

  std::vector<int> types;
  for (const auto& resource : answer->config_resources) types.push_back(resource.resource_type);
  EXPECT_THAT(types, ElementsAre(32, 32, 8, 4));
}

TEST(JoinConfigs, PartThatCannotBeReadFails) {
  ConfigRig rig;
  const auto spec = rig.describe_request({{group_type, "g"}, {group_type, "h"}});
  EXPECT_THROW(rig.rig().join(spec, {{0xff}, {0xff}}), std::logic_error);
}

}  // namespace
}  // namespace muster::host::testing
