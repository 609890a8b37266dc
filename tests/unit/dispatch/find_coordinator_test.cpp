// FindCoordinator: both shapes, every kind of key, and the first look-up that makes the topic.
#include "dispatch/find_coordinator.hpp"

#include "runtime/shard_of.hpp"
#include "support/manual_world.hpp"

#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/create_topics_response.hpp>
#include <muster/protocol/messages/find_coordinator_request.hpp>
#include <muster/protocol/messages/find_coordinator_response.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::host {
namespace {

using protocol::FindCoordinatorRequest;
using protocol::FindCoordinatorResponse;

constexpr std::int16_t coordinator_not_available = 15;
constexpr std::int16_t group_authorization_failed = 30;
constexpr std::int16_t topic_already_exists = 36;
constexpr std::int16_t invalid_request = 42;
constexpr std::uint32_t partitions = 50;
constexpr std::string_view share_key = "g:AAAAAAAAAAAAAAAAAAAAAQ:0";

class FindCoordinatorTest : public ::testing::Test {
 protected:
  FindCoordinatorTest() {
    node_.struct_size = sizeof node_;
    node_.self = this;
    node_.node_id = [](void*) { return std::int32_t{3}; };
    node_.owner = [](void* self, muster_str space, std::uint32_t shard,
                     const muster_bytes_sink* host, std::int32_t* port, std::uint64_t* epoch) {
      auto& test = *static_cast<FindCoordinatorTest*>(self);
      test.asked_.emplace_back(std::string(from_abi(space)), shard);
      if (test.owner_fails_) return muster_code{MUSTER_UNAVAILABLE};
      constexpr std::string_view here = "localhost";
      host->bytes(host->self, {reinterpret_cast<const std::uint8_t*>(here.data()), here.size()});
      *port = 9092;
      *epoch = 1;
      return muster_code{MUSTER_OK};
    };
    authorize_.struct_size = sizeof authorize_;
    authorize_.self = this;
    authorize_.allowed = [](void*, muster_str, muster_str, std::int32_t, std::int32_t,
                            muster_str resource) {
      return std::int32_t{from_abi(resource) != "secret"};
    };
    FindCoordinator::Parts parts;
    parts.kinds.push_back({0, "groups", "__consumer_offsets", partitions});
    parts.metadata = &metadata_;
    parts.caller = &caller_;
    parts.node = &node_;
    parts.authorize = &authorize_;
    find_ = std::make_unique<FindCoordinator>(std::move(parts));
  }

  void topic_appears() {
    muster_topic topic{};
    topic.struct_size = sizeof topic;
    constexpr std::string_view name = "__consumer_offsets";
    topic.name = to_abi(name);
    const std::vector<std::uint32_t> no_racks(partitions + 1);
    topic.partition_count = partitions;
    topic.rack_offsets = no_racks.data();
    const muster_topic* const topics[] = {&topic};
    muster_topic_change change{};
    change.name = topic.name;
    metadata_.events()->changed(metadata_.events()->self, topics, &change, 1);
  }
  std::uint64_t send(std::int16_t version, const FindCoordinatorRequest& asked) {
    Buffer body;
    protocol::encode(asked, version, body);
    muster_request request{};
    request.struct_size = sizeof request;
    request.api_key = 10;
    request.version = version;
    request.body = to_abi(Bytes(body));
    find_->answer(request, {answers_, ++slot_});
    return slot_;
  }
  FindCoordinatorResponse read(std::uint64_t slot, std::int16_t version) {
    const std::string raw = answers_->of(slot);
    bytes_.assign(raw.begin(), raw.end());
    const auto response = protocol::decode<FindCoordinatorResponse>(bytes_, version);
    EXPECT_TRUE(response) << raw;
    return response.value_or(FindCoordinatorResponse{});
  }
  FindCoordinatorResponse ask(std::int16_t version, const FindCoordinatorRequest& asked) {
    return read(send(version, asked), version);
  }
  static FindCoordinatorRequest one(std::string_view key, std::int8_t type = 0) {
    FindCoordinatorRequest request;
    request.key = key;
    request.key_type = type;
    return request;
  }
  static FindCoordinatorRequest many(std::vector<std::string_view> keys, std::int8_t type = 0) {
    FindCoordinatorRequest request;
    request.coordinator_keys = std::move(keys);
    request.key_type = type;
    return request;
  }
  // Answers the CreateTopics that is waiting.
  void created(std::int16_t error) {
    ASSERT_EQ(caller_.calls.size(), 1u);
    protocol::CreateTopicsResponse response;
    response.topics.emplace_back().name = "__consumer_offsets";
    response.topics.back().error_code = error;
    Buffer body;
    protocol::encode(response, 7, body);
    caller_.calls.front().second.body(body);
  }

  Metadata metadata_;
  testing::RecordingCaller caller_;
  muster_node_v1 node_{};
  muster_authorize_v1 authorize_{};
  bool owner_fails_ = false;
  std::vector<std::pair<std::string, std::uint32_t>> asked_;
  std::shared_ptr<testing::Answers> answers_ = std::make_shared<testing::Answers>();
  std::uint64_t slot_ = 0;
  std::unique_ptr<FindCoordinator> find_;
  Buffer bytes_;
};

TEST_F(FindCoordinatorTest, OldVersionsNameOneCoordinator) {
  topic_appears();
  for (std::int16_t version = 0; version <= 3; ++version) {
    const auto response = ask(version, one("group-7"));
    EXPECT_EQ(response.error_code, 0) << version;
    EXPECT_EQ(response.node_id, 3);
    EXPECT_EQ(response.host, "localhost");
    EXPECT_EQ(response.port, 9092);
  }
  EXPECT_EQ(asked_.front(), (std::pair<std::string, std::uint32_t>("groups", 5)));
}

TEST_F(FindCoordinatorTest, NewVersionsNameOneForEachKeyInTheOrderAsked) {
  topic_appears();
  for (std::int16_t version = 4; version <= 6; ++version) {
    const auto response = ask(version, many({"group-7", "secret", "zzzzzz"}));
    ASSERT_EQ(response.coordinators.size(), 3u) << version;
    EXPECT_EQ(response.coordinators[0].key, "group-7");
    EXPECT_EQ(response.coordinators[0].error_code, 0);
    EXPECT_EQ(response.coordinators[0].port, 9092);
    EXPECT_EQ(response.coordinators[1].error_code, group_authorization_failed);
    EXPECT_EQ(response.coordinators[1].node_id, -1);
    EXPECT_EQ(response.coordinators[1].host, "");
    EXPECT_EQ(response.coordinators[1].port, -1);
    EXPECT_EQ(response.coordinators[2].key, "zzzzzz");
    EXPECT_EQ(response.coordinators[2].error_code, 0);
  }
}

TEST_F(FindCoordinatorTest, NoKeysGetNoCoordinators) {
  topic_appears();
  EXPECT_TRUE(ask(4, many({})).coordinators.empty());
}

TEST_F(FindCoordinatorTest, AnUnknownKeyTypeIsInvalid) {
  EXPECT_EQ(ask(1, one("g", 9)).error_code, invalid_request);
  EXPECT_EQ(ask(4, many({"g"}, -1)).coordinators.at(0).error_code, invalid_request);
  EXPECT_TRUE(caller_.calls.empty());
}

TEST_F(FindCoordinatorTest, ShareKeysAreKnownFromVersion6AndMustBeWellFormed) {
  EXPECT_EQ(ask(5, many({share_key}, 2)).coordinators.at(0).error_code, invalid_request);
  EXPECT_EQ(ask(6, many({share_key}, 2)).coordinators.at(0).error_code, coordinator_not_available);
  for (const std::string_view bad : {"", "g", "g:0", ":AAAAAAAAAAAAAAAAAAAAAQ:0",
                                     "g:AAAAAAAAAAAAAAAAAAAAAQ:", "g:AAAAAAAAAAAAAAAAAAAAAQ:-1",
                                     "g:AAAAAAAAAAAAAAAAAAAAAQ:x", "g:no-uuid:0", ":", "::"}) {
    EXPECT_EQ(ask(6, many({bad}, 2)).coordinators.at(0).error_code, invalid_request) << bad;
  }
}

TEST_F(FindCoordinatorTest, AKindThatNobodyCoordinatesIsNotAvailable) {
  EXPECT_EQ(ask(3, one("t", 1)).error_code, coordinator_not_available);
}

TEST_F(FindCoordinatorTest, AnOwnerThatIsUnknownIsNotAvailable) {
  topic_appears();
  owner_fails_ = true;
  const auto response = ask(3, one("g"));
  EXPECT_EQ(response.error_code, coordinator_not_available);
  EXPECT_EQ(response.node_id, -1);
}

TEST_F(FindCoordinatorTest, TheFirstLookUpMakesTheTopicAndAnswersWhenItExists) {
  const std::uint64_t slot = send(4, many({"g"}));
  EXPECT_EQ(answers_->of(slot), "-");
  ASSERT_EQ(caller_.calls.size(), 1u);
  const InternalCall& call = caller_.calls.front().first;
  EXPECT_EQ(call.api_key, 19);
  const auto create = protocol::decode<protocol::CreateTopicsRequest>(call.body, call.version);
  ASSERT_TRUE(create);
  ASSERT_EQ(create->topics.size(), 1u);
  EXPECT_EQ(create->topics[0].name, "__consumer_offsets");
  EXPECT_EQ(create->topics[0].num_partitions, static_cast<std::int32_t>(partitions));
  created(0);
  EXPECT_EQ(read(slot, 4).coordinators.at(0).error_code, 0);
}

TEST_F(FindCoordinatorTest, ATopicThatSomebodyElseMadeMeanwhileWillDo) {
  const std::uint64_t slot = send(1, one("g"));
  created(topic_already_exists);
  EXPECT_EQ(read(slot, 1).error_code, 0);
}

TEST_F(FindCoordinatorTest, ATopicThatCannotBeMadeIsTriedAgainAtTheNextLookUp) {
  const std::uint64_t slot = send(1, one("g"));
  created(invalid_request);
  EXPECT_EQ(read(slot, 1).error_code, coordinator_not_available);
  send(1, one("g"));
  EXPECT_EQ(caller_.calls.size(), 2u);
}

TEST_F(FindCoordinatorTest, ACreationThatIsNotAnsweredCountsAsFailed) {
  const std::uint64_t slot = send(1, one("g"));
  caller_.calls.front().second.deliver({AnswerKind::close, {}, {}});
  EXPECT_EQ(read(slot, 1).error_code, coordinator_not_available);
}

TEST_F(FindCoordinatorTest, WhereTheTopicExistsNothingIsMade) {
  topic_appears();
  ask(3, one("g"));
  EXPECT_TRUE(caller_.calls.empty());
}

TEST_F(FindCoordinatorTest, WhoIsRefusedMakesNoTopic) {
  EXPECT_EQ(ask(3, one("secret")).error_code, group_authorization_failed);
  EXPECT_EQ(ask(4, many({"secret"})).coordinators.at(0).error_code, group_authorization_failed);
  EXPECT_TRUE(ask(4, many({})).coordinators.empty());
  EXPECT_TRUE(caller_.calls.empty());

  send(4, many({"secret", "g"}));
  EXPECT_EQ(caller_.calls.size(), 1u);
}

TEST_F(FindCoordinatorTest, ABodyThatDoesNotParseCloses) {
  const Buffer cut{0, 9, 'g'};
  muster_request request{};
  request.struct_size = sizeof request;
  request.version = 1;
  request.body = to_abi(Bytes(cut));
  find_->answer(request, {answers_, 1});
  EXPECT_EQ(answers_->of(1), "(close)");
}

}  // namespace
}  // namespace muster::host
