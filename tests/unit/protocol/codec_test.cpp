// Whole messages and records: what vectors cannot show.
#include "vector_file.hpp"

#include <muster/protocol/messages/api_versions_response.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/messages/fetch_request.hpp>
#include <muster/protocol/messages/metadata_response.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/records/consumer_group_member_metadata_value.hpp>
#include <muster/protocol/records/offset_commit_key.hpp>
#include <muster/protocol/records/offset_commit_value.hpp>

#include <gtest/gtest.h>

namespace muster::protocol {
namespace {

using testing::from_hex;
using testing::to_hex;

template <class T>
Buffer encoded(const T& message, std::int16_t version) {
  Buffer out;
  encode(message, version, out);
  return out;
}

TEST(Codec, EncodeAppends) {
  Buffer out{1, 2, 3};
  encode(ConsumerGroupHeartbeatRequest{.group_id = "g", .member_id = "m"}, 0, out);
  EXPECT_EQ(to_hex(out),
            "010203"
            "0267"
            "026d"
            "00000000"
            "00"
            "00"
            "ffffffff"
            "00"
            "00"
            "00"
            "00");
}

TEST(Codec, DecodedStringsPointIntoTheFrame) {
  const Buffer frame = encoded(ConsumerGroupHeartbeatRequest{.group_id = "group"}, 1);
  const auto request = decode<ConsumerGroupHeartbeatRequest>(frame, 1);
  ASSERT_TRUE(request);
  EXPECT_EQ(static_cast<const void*>(request->group_id.data()), frame.data() + 1);
}

TEST(Codec, VersionsKafkaLacksAreErrors) {
  for (const std::int16_t version : {-1, 2, 32767}) {
    const auto request = decode<ConsumerGroupHeartbeatRequest>({}, version);
    ASSERT_FALSE(request);
    EXPECT_EQ(request.error().what, "unsupported version");
  }
}

TEST(Codec, EveryCutIsAnErrorInsideTheFrame) {
  const ConsumerGroupHeartbeatRequest request{
      .group_id = "g", .topic_partitions = {{{.topic_id = {}, .partitions = {1, 2}}}}};
  const Buffer frame = encoded(request, 1);
  for (std::size_t size = 0; size < frame.size(); ++size) {
    const auto cut = decode<ConsumerGroupHeartbeatRequest>(Bytes(frame).first(size), 1);
    ASSERT_FALSE(cut) << size;
    EXPECT_LE(cut.error().offset, size);
  }
  EXPECT_EQ(decode<ConsumerGroupHeartbeatRequest>(frame, 1), request);
}

TEST(Codec, BytesBehindTheBodyAreTolerated) {
  Buffer frame = encoded(ConsumerGroupHeartbeatRequest{.group_id = "g"}, 0);
  frame.push_back(99);
  EXPECT_TRUE(decode<ConsumerGroupHeartbeatRequest>(frame, 0));
  Reader in(frame);
  ConsumerGroupHeartbeatRequest().read(in, 0);
  EXPECT_EQ(in.remaining(), 1U);
}

TEST(Codec, FieldsTheVersionLacksAreLeftOutAndReadAsDefaults) {
  const ConsumerGroupHeartbeatRequest with_regex{.subscribed_topic_regex = "a.*"};
  const auto old = decode<ConsumerGroupHeartbeatRequest>(encoded(with_regex, 0), 0);
  EXPECT_EQ(old, ConsumerGroupHeartbeatRequest{});
  const Buffer frame = encoded(with_regex, 1);
  EXPECT_EQ(decode<ConsumerGroupHeartbeatRequest>(frame, 1), with_regex);
}

TEST(Codec, ReadingIntoAUsedMessageLeavesNothingOld) {
  ConsumerGroupHeartbeatRequest reused{.group_id = "old",
                                       .instance_id = "old",
                                       .subscribed_topic_names = {{"old"}},
                                       .subscribed_topic_regex = "old"};
  reused.topic_partitions.emplace().emplace_back().partitions = {1, 2};
  const ConsumerGroupHeartbeatRequest fresh{.group_id = "new"};
  const Buffer frame = encoded(fresh, 0);
  Reader in(frame);
  reused.read(in, 0);
  EXPECT_EQ(reused, fresh);
}

TEST(Codec, ReadingIntoAUsedMessageResetsItsTags) {
  ApiVersionsResponse reused{.finalized_features_epoch = 7, .zk_migration_ready = true};
  const Buffer frame = encoded(ApiVersionsResponse{}, 3);
  Reader in(frame);
  reused.read(in, 3);
  EXPECT_EQ(reused, ApiVersionsResponse{});
}

TEST(Codec, NullInAVersionWithoutNullBecomesEmpty) {
  MetadataResponse response;
  response.topics.push_back({.name = std::nullopt});
  const Buffer frame = encoded(response, 9);
  EXPECT_EQ(frame.size(), response.size(9));
  const auto decoded = decode<MetadataResponse>(frame, 9);
  ASSERT_TRUE(decoded);
  EXPECT_EQ(decoded->topics.at(0).name, "");
  EXPECT_EQ(decode<MetadataResponse>(encoded(response, 12), 12)->topics.at(0).name, std::nullopt);
}

TEST(Codec, TagsAreWrittenAscendingAndDefaultsLeftOut) {
  ApiVersionsResponse response{.finalized_features_epoch = 5, .zk_migration_ready = true};
  // error 0, no keys, throttle 0; tags 1 (epoch) and 3 (migration)
  EXPECT_EQ(to_hex(encoded(response, 3)),
            "0000"
            "01"
            "00000000"
            "02"
            "01080000000000000005"
            "030101");
}

TEST(Codec, TagOfAnotherVersionIsAnErrorAsInKafka) {
  FetchRequest request;
  request.topics.push_back({.partitions = {{.replica_directory_id = {{1}}}}});
  Buffer frame = encoded(request, 17);
  EXPECT_TRUE(decode<FetchRequest>(frame, 17));
  const auto old = decode<FetchRequest>(frame, 16);
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().what, "tagged field of another version");
}

TEST(Codec, TagsOutOfOrderAreAccepted) {
  const auto response = decode<ApiVersionsResponse>(from_hex("0000"
                                                             "01"
                                                             "00000000"
                                                             "02"
                                                             "030101"
                                                             "01080000000000000005"),
                                                    3);
  ASSERT_TRUE(response);
  EXPECT_TRUE(response->zk_migration_ready);
  EXPECT_EQ(response->finalized_features_epoch, 5);
}

TEST(Codec, SkippedTagsLieInNestedStructsToo) {
  // One topic partition whose own tag section holds an unknown tag.
  const auto request =
      decode<ConsumerGroupHeartbeatRequest>(from_hex("0267"
                                                     "026d"
                                                     "00000001"
                                                     "00"
                                                     "00"
                                                     "ffffffff"
                                                     "00"
                                                     "00"
                                                     "02"
                                                     "00000000000000000000000000000007"
                                                     "02"
                                                     "00000003"
                                                     "01"
                                                     "0a02abcd"
                                                     "00"),
                                            0);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->topic_partitions->at(0).partitions, std::vector<std::int32_t>{3});
}

TEST(Codec, BytesInMessagesCompareByContent) {
  const Buffer one{1, 2};
  const Buffer other{1, 2};
  ConsumerGroupMemberMetadataValue::ClassicProtocol first{.name = "range", .metadata = one};
  ConsumerGroupMemberMetadataValue::ClassicProtocol second{.name = "range", .metadata = other};
  EXPECT_EQ(first, second);
  second.metadata = {};
  EXPECT_NE(first, second);
}

TEST(Records, KeyIsItsTypeAndItsFields) {
  const OffsetCommitKey key{.group = "g", .topic = "t", .partition = 3};
  const Buffer bytes = encode_key(key);
  EXPECT_EQ(to_hex(bytes),
            "0001"
            "000167"
            "000174"
            "00000003");
  EXPECT_EQ(record_type(bytes), 1);
  EXPECT_EQ(decode_key<OffsetCommitKey>(bytes), key);
}

TEST(Records, KeyOfAnotherTypeOrCutOffIsAnError) {
  EXPECT_EQ(decode_key<OffsetCommitKey>(from_hex("0002000167")).error().what,
            "another record type");
  EXPECT_EQ(decode_key<OffsetCommitKey>(from_hex("00")).error().what, "another record type");
  EXPECT_EQ(record_type(from_hex("00")), std::nullopt);
  const auto cut = decode_key<OffsetCommitKey>(from_hex("00010001"));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().offset, 4U);
}

TEST(Records, ValueSaysItsVersion) {
  const OffsetCommitValue value{.offset = 5, .metadata = "m", .commit_timestamp = 6};
  EXPECT_EQ(to_hex(encode_value(value, 0)),
            "0000"
            "0000000000000005"
            "00016d"
            "0000000000000006");
  EXPECT_EQ(decode_value<OffsetCommitValue>(encode_value(value, 0)), value);
  EXPECT_EQ(encode_value(value)[1], OffsetCommitValue::max_version);
}

TEST(Records, ValueOfAnUnknownVersionIsAnError) {
  EXPECT_EQ(decode_value<OffsetCommitValue>(from_hex("0063")).error().what, "unsupported version");
  EXPECT_EQ(decode_value<OffsetCommitValue>(from_hex("ffff")).error().what, "unsupported version");
  EXPECT_EQ(decode_value<OffsetCommitValue>({}).error().what, "value without a version");
}

TEST(Records, ConsumerMembersSayExplicitlyThatTheyAreNotClassic) {
  ConsumerGroupMemberMetadataValue value{.classic_member_metadata = std::nullopt};
  const Buffer bytes = encode_value(value, 0);
  EXPECT_EQ(to_hex(Bytes(bytes).last(4)), "01000100");
  EXPECT_EQ(decode_value<ConsumerGroupMemberMetadataValue>(bytes)->classic_member_metadata,
            std::nullopt);
  // Without the tag it is a classic member with defaults.
  value.classic_member_metadata.emplace();
  EXPECT_EQ(encode_value(value, 0).back(), 0);
  EXPECT_TRUE(decode_value<ConsumerGroupMemberMetadataValue>(encode_value(value, 0))
                  ->classic_member_metadata.has_value());
}

}  // namespace
}  // namespace muster::protocol
