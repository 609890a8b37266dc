// ConsumerGroupDescribe.
#include <gmock/gmock.h>
#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/consumer_group_describe_request.hpp>
#include <muster/protocol/messages/consumer_group_describe_response.hpp>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using protocol::Error;
using Request = protocol::ConsumerGroupDescribeRequest;
using Response = protocol::ConsumerGroupDescribeResponse;
using ::testing::IsEmpty;

class ConsumerGroupDescribe : public ::testing::TestWithParam<Door> {
 protected:
  testing::RequestSpec spec_of(std::vector<std::string_view> ids, std::int16_t version = 1) {
    Request request;
    request.group_ids = std::move(ids);
    request.include_authorized_operations = include_operations;
    testing::RequestSpec spec;
    spec.api_key = Request::api_key;
    spec.version = version;
    protocol::encode(request, version, spec.body);
    spec.owner = owner;
    return spec;
  }
  const Response& describe(std::vector<std::string_view> ids, std::int16_t version = 1) {
    body_ = rig.answer(spec_of(std::move(ids), version));
    response_ = *protocol::decode<Response>(body_, version);
    return response_;
  }
  const Response::DescribedGroup& describe_one(std::string_view id, std::int16_t version = 1) {
    return describe({id}, version).groups.at(0);
  }
  void expect_error(const Response::DescribedGroup& group, Error error,
                    std::optional<std::string_view> message) {
    EXPECT_EQ(group.error_code, static_cast<std::int16_t>(error));
    EXPECT_EQ(group.error_message, message);
    EXPECT_THAT(group.members, IsEmpty());
    EXPECT_EQ(group.group_state, "");
  }
  std::string text_of(const Response::Assignment& assignment) {
    std::string names;
    for (const auto& topic : assignment.topic_partitions) {
      EXPECT_EQ(rig.topics.name_of(topic.topic_id), topic.topic_name);
    }
    return rig.topics.text_of(assignment.topic_partitions);
  }

  ConsumerRig rig{GetParam(), false};
  bool include_operations = false;
  std::string owner;

 private:
  testing::Buffer body_;
  Response response_;
};
BOTH_DOORS(ConsumerGroupDescribe);

TEST_P(ConsumerGroupDescribe, MembersComeInTheOrderOfKafkasHashTable) {
  rig.open();
  for (const char* id : {"member-1", "member-2", "m1"}) {
    rig.beat(joins(id, {"foo"}));
    rig.pass(1000);
  }
  const auto& group = describe_one("g");
  ASSERT_EQ(group.members.size(), 3U);
  EXPECT_EQ(group.members[0].member_id, "member-2");
  EXPECT_EQ(group.members[1].member_id, "m1");
  EXPECT_EQ(group.members[2].member_id, "member-1");
}

TEST_P(ConsumerGroupDescribe, AMemberIsShownWithAllItHasAndIsMeantToHave) {
  rig.open();
  rig.topic("foo", 4);
  rig.beat(joins("m1", {"foo"}).with_instance("i1").with_rack("r1"));
  rig.pass(1000);
  rig.beat(joins_regex("m2", "fo+").with_assignor("range"));
  rig.match();
  rig.pass(1000);
  rig.beat(beats("m1", 2));  // asks for epoch 4's assignment and is to revoke two
  const auto& group = describe_one("g");
  EXPECT_EQ(group.error_code, 0);
  EXPECT_EQ(group.group_id, "g");
  EXPECT_EQ(group.group_state, "Reconciling");
  EXPECT_EQ(group.group_epoch, 4);
  EXPECT_EQ(group.assignment_epoch, 4);
  EXPECT_EQ(group.assignor_name, "range");
  EXPECT_EQ(group.authorized_operations, std::numeric_limits<std::int32_t>::min());
  ASSERT_EQ(group.members.size(), 2U);
  const auto& first = group.members[1];  // the order of Kafka's hash table
  EXPECT_EQ(first.member_id, "m1");
  EXPECT_EQ(first.instance_id, "i1");
  EXPECT_EQ(first.rack_id, "r1");
  EXPECT_EQ(first.member_epoch, 2);
  EXPECT_EQ(first.client_id, "client");
  EXPECT_EQ(first.client_host, "/127.0.0.1");
  EXPECT_THAT(first.subscribed_topic_names, ::testing::ElementsAre("foo"));
  EXPECT_EQ(first.subscribed_topic_regex, "");
  EXPECT_EQ(text_of(first.assignment), "foo:0,1,2,3");
  EXPECT_EQ(text_of(first.target_assignment), "foo:0,1");
  EXPECT_EQ(first.member_type, 1);
  const auto& second = group.members[0];
  EXPECT_EQ(second.instance_id, std::nullopt);
  EXPECT_EQ(second.rack_id, std::nullopt);
  EXPECT_EQ(second.subscribed_topic_regex, "fo+");
  EXPECT_THAT(second.subscribed_topic_names, IsEmpty());
  EXPECT_EQ(text_of(second.assignment), "");
  EXPECT_EQ(text_of(second.target_assignment), "foo:2,3");
}

TEST_P(ConsumerGroupDescribe, StatesAreToldAsTheyAre) {
  rig.open();
  rig.topic("foo", 1);
  rig.send(joins("m1", {"foo"}));
  EXPECT_EQ(describe_one("g").group_state, "Assigning");
  rig.finish();
  EXPECT_EQ(describe_one("g").group_state, "Stable");
  EXPECT_EQ(describe_one("g").assignor_name, "uniform");
  rig.beat(leaves("m1"));
  EXPECT_EQ(describe_one("g").group_state, "Empty");
}

TEST_P(ConsumerGroupDescribe, UnknownAndForeignGroupsAreNotFound) {
  rig.open();
  expect_error(describe_one("g"), Error::group_id_not_found, "Group g not found.");
  owner = "classic";
  expect_error(describe_one("g"), Error::group_id_not_found, "Group g is not a consumer group.");
}

TEST_P(ConsumerGroupDescribe, AnEmptyIdIsInvalid) {
  rig.open();
  expect_error(describe_one(""), Error::invalid_group_id, std::nullopt);
}

TEST_P(ConsumerGroupDescribe, SeveralGroupsAreAnsweredInTheirOrderDuplicatesToo) {
  rig.open();
  rig.beat(joins("m1", {}).in("b"));
  const auto& groups = describe({"c", "b", "", "c"}).groups;
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_EQ(groups[0].group_id, "c");
  EXPECT_EQ(groups[1].group_state, "Stable");
  EXPECT_EQ(groups[2].error_code, 24);
  EXPECT_EQ(groups[3].group_id, "c");
}

TEST_P(ConsumerGroupDescribe, NoGroupsAreAnEmptyAnswer) {
  rig.open();
  EXPECT_THAT(describe({}).groups, IsEmpty());
}

TEST_P(ConsumerGroupDescribe, WithoutDescribeTheGroupIsNotShown) {
  rig.open();
  rig.beat(joins("m1", {}));
  rig.deny(8, 3, "g");
  expect_error(describe_one("g"), Error::group_authorization_failed, std::nullopt);
}

TEST_P(ConsumerGroupDescribe, ATopicThatMayNotBeDescribedHidesTheGroup) {
  rig.open();
  rig.topic("foo", 1);
  rig.topic("secret", 1);
  rig.beat(joins("m1", {"foo", "secret"}));
  EXPECT_EQ(describe_one("g").error_code, 0);
  rig.deny(8, 2, "secret");
  expect_error(describe_one("g"), Error::topic_authorization_failed,
               "The group has described topic(s) that the client is not authorized to describe.");
}

TEST_P(ConsumerGroupDescribe, AuthorisedOperationsAreTheGroupsOwn) {
  rig.open();
  rig.beat(joins("m1", {}));
  include_operations = true;
  // READ, DELETE, DESCRIBE, DESCRIBE_CONFIGS, ALTER_CONFIGS
  EXPECT_EQ(describe_one("g").authorized_operations, 1 << 3 | 1 << 6 | 1 << 8 | 1 << 10 | 1 << 11);
  rig.deny(6, 3, "g");
  EXPECT_EQ(describe_one("g").authorized_operations, 1 << 3 | 1 << 8 | 1 << 10 | 1 << 11);
  EXPECT_EQ(describe_one("none").authorized_operations, std::numeric_limits<std::int32_t>::min());
}

TEST_P(ConsumerGroupDescribe, ADeletedTopicIsLeftOut) {
  rig.open();
  rig.topic("bar", 1);
  rig.topic("foo", 1);
  rig.beat(joins("m1", {"bar", "foo"}));
  rig.remove_topic("bar");
  EXPECT_EQ(text_of(describe_one("g").members.at(0).assignment), "foo:0");
}

TEST_P(ConsumerGroupDescribe, VersionZeroHasNoMemberType) {
  rig.open();
  rig.beat(joins("m1", {}));
  EXPECT_EQ(describe_one("g", 0).members.at(0).member_type, -1);
}

TEST_P(ConsumerGroupDescribe, AtFeatureLevelZeroTheVersionIsUnsupported) {
  rig.options.set("group.version", "0");
  rig.open();
  expect_error(describe_one("g"), Error::unsupported_version, std::nullopt);
}

TEST_P(ConsumerGroupDescribe, NothingIsStored) {
  rig.open();
  rig.beat(joins("m1", {}));
  for (const std::string_view id : {"g", "none"}) {
    testing::RequestSpec spec = spec_of({id});
    spec.key = std::string(id);
    const testing::Outcome outcome = rig.decide(spec);
    EXPECT_THAT(outcome.writes, IsEmpty());
    EXPECT_THAT(outcome.timers, IsEmpty());
  }
}

}  // namespace
}  // namespace muster::consumer
