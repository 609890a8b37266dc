// Where requests go, and how the host says no in the plugin's name.
#include <gmock/gmock.h>
#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/consumer_group_describe_request.hpp>
#include <muster/protocol/messages/consumer_group_describe_response.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_response.hpp>

#include "classic_rig.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;
using Describe = protocol::ConsumerGroupDescribeRequest;
using Described = protocol::ConsumerGroupDescribeResponse;
using HeartbeatResponse = protocol::ConsumerGroupHeartbeatResponse;

class ConsumerGroupBodies : public ::testing::TestWithParam<Door> {
 protected:
  testing::RequestSpec describe_spec(std::vector<std::string_view> ids) {
    Describe request;
    request.group_ids = std::move(ids);
    request.include_authorized_operations = true;
    testing::RequestSpec spec;
    spec.api_key = Describe::api_key;
    spec.version = 1;
    protocol::encode(request, 1, spec.body);
    return spec;
  }
  std::pair<std::int16_t, bool> refused(const Beat& beat, Error error) {
    const testing::RequestSpec spec = rig.spec_of(beat);
    const testing::Buffer body = rig.refuse(spec, static_cast<std::int16_t>(error));
    const auto response = protocol::decode<HeartbeatResponse>(body, beat.version);
    EXPECT_TRUE(response);
    return {response->error_code, response->error_message.has_value()};
  }
  static std::pair<std::int16_t, bool> plain(Error error) {
    return {static_cast<std::int16_t>(error), false};
  }

  ClassicRig rig{GetParam()};
};
BOTH_DOORS(ConsumerGroupBodies);

TEST_P(ConsumerGroupBodies, AHeartbeatGoesToItsGroupUncopied) {
  const auto routed = rig.route(rig.spec_of(joins("m1", {"foo"}).in("my group")));
  ASSERT_EQ(routed.parts.size(), 1U);
  EXPECT_TRUE(routed.parts[0].whole);
  EXPECT_EQ(routed.parts[0].key, "my group");
}

TEST_P(ConsumerGroupBodies, ClassicRequestsGoToTheirGroupsWhereNoClassicProtocolIsLoaded) {
  Join join = join_of("c1");
  join.group = "my group";
  Of by("c1", 3);
  by.group = "my group";
  for (const testing::RequestSpec& spec : {rig.spec_of_join(join), rig.spec_of_sync(by),
                                           rig.spec_of_beat(by), rig.spec_of_leave({by})}) {
    const auto routed = rig.route(spec);
    ASSERT_EQ(routed.parts.size(), 1U);
    EXPECT_EQ(routed.parts[0].key, "my group");
  }
}

TEST_P(ConsumerGroupBodies, ClassicRequestsAreRefusedInTheirOwnForm) {
  const auto error_in = [](const testing::Buffer& body) {
    const std::size_t at = 4;  // behind the throttle time
    return static_cast<std::int16_t>(body.at(at) << 8 | body.at(at + 1));
  };
  const auto loading = static_cast<std::int16_t>(Error::coordinator_load_in_progress);
  const Of by("c1", 3);
  EXPECT_EQ(error_in(rig.refuse(rig.spec_of_join(join_of("c1")), loading)), loading);
  EXPECT_EQ(error_in(rig.refuse(rig.spec_of_sync(by), loading)), loading);
  EXPECT_EQ(error_in(rig.refuse(rig.spec_of_leave({by}), loading)), loading);
  // A member is not to rejoin because its coordinator loads.
  EXPECT_EQ(error_in(rig.refuse(rig.spec_of_beat(by), loading)), 0);
  EXPECT_EQ(error_in(rig.refuse(rig.spec_of_beat(by), 16)), 16);
}

TEST_P(ConsumerGroupBodies, ADescriptionOfOneGroupGoesThereUncopied) {
  const auto routed = rig.route(describe_spec({"g"}));
  ASSERT_EQ(routed.parts.size(), 1U);
  EXPECT_TRUE(routed.parts[0].whole);
}

TEST_P(ConsumerGroupBodies, ADescriptionOfSeveralGroupsIsSplit) {
  const auto routed = rig.route(describe_spec({"a", "b", "a"}));
  ASSERT_EQ(routed.parts.size(), 3U);
  EXPECT_EQ(routed.parts[1].key, "b");
  const auto part = protocol::decode<Describe>(routed.parts[1].body, 1);
  ASSERT_TRUE(part);
  EXPECT_THAT(part->group_ids, ::testing::ElementsAre("b"));
  EXPECT_TRUE(part->include_authorized_operations);
}

TEST_P(ConsumerGroupBodies, ABodyThatCannotBeReadIsNotRouted) {
  testing::RequestSpec spec = rig.spec_of(joins("m1", {"foo"}));
  spec.body.resize(spec.body.size() / 2);
  EXPECT_EQ(rig.route(spec).code, MUSTER_INVALID_ARGUMENT);
  spec.body.clear();
  EXPECT_EQ(rig.route(spec).code, MUSTER_INVALID_ARGUMENT);
  spec.api_key = Describe::api_key;
  EXPECT_EQ(rig.route(spec).code, MUSTER_INVALID_ARGUMENT);
}

TEST_P(ConsumerGroupBodies, RefusalsOfHeartbeatsAreKafkas) {
  const Beat beat = beats("m1", 3);
  for (const auto& [asked, told] : std::vector<std::pair<Error, Error>>{
           {Error::coordinator_load_in_progress, Error::coordinator_load_in_progress},
           {Error::not_coordinator, Error::not_coordinator},
           {Error::coordinator_not_available, Error::coordinator_not_available},
           {Error::unknown_server_error, Error::unknown_server_error},
           {Error::group_authorization_failed, Error::group_authorization_failed},
           {Error::request_timed_out, Error::coordinator_not_available},
           {Error::not_enough_replicas, Error::coordinator_not_available},
           {Error::unknown_topic_or_partition, Error::coordinator_not_available},
           {Error::not_leader_or_follower, Error::not_coordinator},
           {Error::kafka_storage_error, Error::not_coordinator},
           {Error::message_too_large, Error::unknown_server_error},
           {Error::record_list_too_large, Error::unknown_server_error},
           {Error::invalid_fetch_size, Error::unknown_server_error},
           {Error::network_exception, Error::coordinator_load_in_progress}}) {
    EXPECT_EQ(refused(beat, asked), plain(told)) << static_cast<int>(asked);
    EXPECT_EQ(refused(beat.with_version(0), asked), plain(told));
  }
}

TEST_P(ConsumerGroupBodies, WhatTheRequestItselfGetsWrongIsToldWhileTheShardLoads) {
  const Beat wrong = joins("m1", {"foo"}).with_timeout(-1);
  EXPECT_EQ(refused(wrong, Error::coordinator_load_in_progress), std::pair(std::int16_t{42}, true));
  EXPECT_EQ(refused(wrong, Error::not_coordinator), std::pair(std::int16_t{42}, true));
  EXPECT_EQ(refused(wrong, Error::coordinator_not_available),
            plain(Error::coordinator_not_available));
  rig.deny(3, 3, "g");
  EXPECT_EQ(refused(wrong, Error::not_coordinator), plain(Error::group_authorization_failed));
}

TEST_P(ConsumerGroupBodies, RefusalsOfDescriptionsNameEachGroup) {
  const auto spec = describe_spec({"a", "b"});
  const testing::Buffer body =
      rig.refuse(spec, static_cast<std::int16_t>(Error::coordinator_load_in_progress));
  const auto response = protocol::decode<Described>(body, 1);
  ASSERT_EQ(response->groups.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(response->groups[i].group_id, i == 0 ? "a" : "b");
    EXPECT_EQ(response->groups[i].error_code, 14);
    EXPECT_EQ(response->groups[i].error_message, std::nullopt);
    EXPECT_EQ(response->groups[i].authorized_operations, std::numeric_limits<std::int32_t>::min());
  }
  const testing::Buffer empty =
      rig.refuse(describe_spec({""}), static_cast<std::int16_t>(Error::not_coordinator));
  EXPECT_EQ(protocol::decode<Described>(empty, 1)->groups.at(0).error_code, 24);
}

TEST_P(ConsumerGroupBodies, ARefusedPartIsJoinedLikeAnyOther) {
  rig.beat(joins("m1", {}).in("b"));
  const auto whole = describe_spec({"a", "b"});
  const testing::Buffer refused_part = rig.refuse(describe_spec({"a"}), 14);
  const testing::Buffer good_part = rig.answer(describe_spec({"b"}));
  const testing::Buffer joined = rig.join(whole, {refused_part, good_part});
  const auto response = protocol::decode<Described>(joined, 1);
  ASSERT_EQ(response->groups.size(), 2U);
  EXPECT_EQ(response->groups[0].error_code, 14);
  EXPECT_EQ(response->groups[1].group_state, "Stable");
}

TEST_P(ConsumerGroupBodies, AnApiThatIsNotClaimedFails) {
  testing::RequestSpec spec = rig.spec_of(joins("m1", {}));
  spec.api_key = 11;
  EXPECT_EQ(rig.decide(spec).code, MUSTER_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace muster::consumer
