// The tables of APIs and errors, and the headers that depend on them.
#include <muster/protocol/apis.hpp>
#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/messages/sasl_handshake_request.hpp>
#include <muster/protocol/request_header.hpp>

#include <gtest/gtest.h>

namespace muster::protocol {
namespace {

TEST(Apis, RangesAreKafkas) {
  const ApiInfo* commit = find_api(api::offset_commit);
  ASSERT_NE(commit, nullptr);
  EXPECT_EQ(commit->name, "OffsetCommit");
  EXPECT_EQ(commit->min_version, 2);
  EXPECT_EQ(commit->max_version, 10);
  EXPECT_EQ(commit->first_flexible_version, OffsetCommitRequest::first_flexible_version);
  // Kafka claims Produce v0 so that old librdkafka works, and has no such schema.
  EXPECT_EQ(find_api(api::produce)->min_version, 0);
  // Its newest version is unstable, so it is not shown.
  EXPECT_EQ(find_api(api::init_producer_id)->max_version, 5);
}

TEST(Apis, AreSortedByKey) {
  std::int16_t last = -1;
  for (const ApiInfo& info : all_apis()) {
    EXPECT_GT(info.key, last);
    EXPECT_LE(info.min_version, info.max_version);
    last = info.key;
  }
}

TEST(Apis, UnknownKeysAreNone) {
  EXPECT_EQ(find_api(999), nullptr);
  EXPECT_EQ(find_api(-1), nullptr);
  EXPECT_EQ(find_api(4), nullptr);  // LeaderAndIsr, gone
}

TEST(Apis, SaslHandshakeIsNeverFlexible) {
  EXPECT_EQ(SaslHandshakeRequest::first_flexible_version, 32767);
}

TEST(Errors, HaveKafkasCodesAndNames) {
  EXPECT_EQ(code(Error::unknown_server_error), -1);
  EXPECT_EQ(code(Error::none), 0);
  EXPECT_EQ(code(Error::unknown_member_id), 25);
  EXPECT_EQ(name(Error::fenced_member_epoch), "FENCED_MEMBER_EPOCH");
  EXPECT_EQ(name(static_cast<Error>(9999)), "");
}

TEST(Errors, SayWhetherClientsRetry) {
  EXPECT_TRUE(retriable(Error::coordinator_load_in_progress));
  EXPECT_FALSE(retriable(Error::group_id_not_found));
  EXPECT_TRUE(refreshes_metadata(Error::not_leader_or_follower));
  EXPECT_FALSE(refreshes_metadata(Error::none));
}

TEST(RequestHeader, OldVersionsHaveNoTags) {
  const Buffer frame{0, 8, 0, 7, 0, 0, 0, 9, 0, 1, 'c', 0xAB};
  const auto request = split_request(frame, OffsetCommitRequest::first_flexible_version);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->header.request_api_key, 8);
  EXPECT_EQ(request->header.request_api_version, 7);
  EXPECT_EQ(request->header.correlation_id, 9);
  EXPECT_EQ(request->header.client_id, "c");
  EXPECT_EQ(request->body, (Buffer{0xAB}));
}

TEST(RequestHeader, FlexibleVersionsSkipTagsAndKeepThePlainClientId) {
  const Buffer frame{0, 8, 0, 8, 0, 0, 0, 9, 0xFF, 0xFF, 1, 77, 2, 1, 2, 0xAB};
  const auto request = split_request(frame, OffsetCommitRequest::first_flexible_version);
  ASSERT_TRUE(request);
  EXPECT_EQ(request->header.client_id, std::nullopt);
  EXPECT_EQ(request->body, (Buffer{0xAB}));
}

TEST(RequestHeader, CutOffHeadersAreErrors) {
  const Buffer frame{0, 8, 0, 8, 0, 0, 0, 9, 0, 1, 'c', 0};
  for (std::size_t size = 0; size < frame.size(); ++size) {
    EXPECT_FALSE(split_request(Bytes(frame).first(size), 8)) << size;
  }
  EXPECT_TRUE(split_request(frame, 8));
}

TEST(ResponseHeader, IsFlexibleExceptForApiVersions) {
  EXPECT_EQ(response_header_version(api::offset_commit, 8, 7), 0);
  EXPECT_EQ(response_header_version(api::offset_commit, 8, 8), 1);
  const std::int16_t flexible = ApiVersionsRequest::first_flexible_version;
  EXPECT_EQ(response_header_version(api::api_versions, flexible, 4), 0);
}

TEST(ResponseHeader, FlexibleOnesEndWithAnEmptyTagSection) {
  Buffer out;
  {
    Writer writer(out);
    write_response_header(writer, 5, 0);
    write_response_header(writer, 6, 1);
  }
  EXPECT_EQ(out, (Buffer{0, 0, 0, 5, 0, 0, 0, 6, 0}));
}

}  // namespace
}  // namespace muster::protocol
