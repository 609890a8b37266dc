// ApiVersions: ranges, features, and the checks of who is asking.
#include "dispatch/api_versions.hpp"

#include "support/manual_world.hpp"

#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/api_versions_response.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::host {
namespace {

using protocol::ApiVersionsRequest;
using protocol::ApiVersionsResponse;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::int16_t invalid_request = 42;
constexpr std::int16_t unsupported_version = 35;
constexpr std::int16_t rebootstrap_required = 129;

class ApiVersionsTest : public ::testing::Test {
 protected:
  ApiVersionsTest() {
    EXPECT_EQ(apis.add_built_in(BuiltIn::api_versions, ApiVersions::claim), "");
    EXPECT_EQ(apis.add_built_in(BuiltIn::find_coordinator, {10, 0, 6, 3, 0, 0}), "");
    EXPECT_EQ(apis.add_built_in(BuiltIn::find_coordinator, {1000, 2, 3, 0, 0, 0}), "");
  }

  // The raw answer; "(close)" if there is none.
  std::string ask_raw(std::int16_t version, const Buffer& body) {
    muster_request request{};
    request.struct_size = sizeof request;
    request.api_key = 18;
    request.version = version;
    request.body = to_abi(Bytes(body));
    api_versions.answer(request, apis, {answers, ++slot});
    return answers->of(slot);
  }
  ApiVersionsResponse ask(std::int16_t version, const ApiVersionsRequest& asked) {
    Buffer body;
    protocol::encode(asked, version, body);
    return decoded(ask_raw(version, body), version);
  }
  ApiVersionsResponse decoded(const std::string& raw, std::int16_t version) {
    bytes_.assign(raw.begin(), raw.end());
    const auto response = protocol::decode<ApiVersionsResponse>(bytes_, version);
    EXPECT_TRUE(response) << "version " << version << ": " << raw.size() << " bytes";
    return response.value_or(ApiVersionsResponse{});
  }
  static ApiVersionsRequest from(std::string_view name, std::string_view software_version) {
    ApiVersionsRequest request;
    request.client_software_name = name;
    request.client_software_version = software_version;
    return request;
  }

  ApiTable apis;
  FeatureLevels features{
      {{"group.version", 0, 1, 1}, {"metadata.version", 7, 33, 33}, {"off.version", 1, 2, 0}}};
  ApiVersions api_versions{features, "the-cluster", 3};
  std::shared_ptr<testing::Answers> answers = std::make_shared<testing::Answers>();
  std::uint64_t slot = 0;

 private:
  Buffer bytes_;
};

TEST_F(ApiVersionsTest, EveryVersionListsWhatIsServedInKeyOrder) {
  for (std::int16_t version = 0; version <= 5; ++version) {
    const auto response = ask(version, from("muster-test", "1.0"));
    EXPECT_EQ(response.error_code, 0) << version;
    using Range = ApiVersionsResponse::ApiVersion;
    EXPECT_THAT(response.api_keys, ElementsAre(Range{10, 0, 6}, Range{18, 0, 5}, Range{1000, 2, 3}))
        << version;
  }
}

TEST_F(ApiVersionsTest, AnUnknownVersionIsAnsweredInVersion0WithItsOwnRangeAlone) {
  for (const std::int16_t version : {6, 99, 32767, -1, -32768}) {
    const std::string raw = ask_raw(version, {0xDE, 0xAD});
    const auto response = decoded(raw, 0);
    EXPECT_EQ(response.error_code, unsupported_version) << version;
    EXPECT_THAT(response.api_keys, ElementsAre(ApiVersionsResponse::ApiVersion{18, 0, 5}));
    EXPECT_EQ(raw.size(), 2u + 4u + 6u);  // error, count, one entry: nothing of later versions
  }
}

TEST_F(ApiVersionsTest, ABodyThatDoesNotParseCloses) {
  EXPECT_EQ(ask_raw(3, {}), "(close)");
  EXPECT_EQ(ask_raw(5, {0x05, 'a'}), "(close)");
}

TEST_F(ApiVersionsTest, OldVersionsHaveNoBodyToCheck) {
  EXPECT_EQ(decoded(ask_raw(0, {}), 0).error_code, 0);
  EXPECT_EQ(decoded(ask_raw(2, {0xFF}), 2).error_code, 0);
}

TEST_F(ApiVersionsTest, TheNameAndVersionOfTheSoftwareMustBeWords) {
  for (const char* const good : {"a", "apache-kafka-java", "1.2.3", "A9", "x..--y"}) {
    EXPECT_EQ(ask(3, from(good, "1")).error_code, 0) << good;
    EXPECT_EQ(ask(4, from("n", good)).error_code, 0) << good;
  }
  for (const char* const bad : {"", "a b", "-a", "a-", ".a", "a.", "a_b", "a\n", "\xC3\xA9"}) {
    for (const auto& request : {from(bad, "1"), from("n", bad)}) {
      const auto response = ask(3, request);
      EXPECT_EQ(response.error_code, invalid_request) << bad;
      EXPECT_THAT(response.api_keys, IsEmpty()) << bad;
    }
  }
}

TEST_F(ApiVersionsTest, Version5ChecksWhomTheClientBelievesToTalkTo) {
  const auto named = [this](std::optional<std::string_view> cluster, std::int32_t node) {
    ApiVersionsRequest request = from("n", "1");
    request.cluster_id = cluster;
    request.node_id = node;
    return ask(5, request).error_code;
  };
  EXPECT_EQ(named({}, -1), 0);
  EXPECT_EQ(named("the-cluster", 3), 0);
  EXPECT_EQ(named("the-cluster", -1), invalid_request);
  EXPECT_EQ(named({}, 3), invalid_request);
  EXPECT_EQ(named("another", 3), rebootstrap_required);
  EXPECT_EQ(named("the-cluster", 4), rebootstrap_required);
  EXPECT_EQ(named("", 3), rebootstrap_required);
}

TEST_F(ApiVersionsTest, FeaturesWithAMinimumOf0AreForVersion4AndLater) {
  using Feature = ApiVersionsResponse::SupportedFeatureKey;
  EXPECT_THAT(ask(3, from("n", "1")).supported_features,
              ElementsAre(Feature{"metadata.version", 7, 33}, Feature{"off.version", 1, 2}));
  EXPECT_THAT(ask(4, from("n", "1")).supported_features,
              ElementsAre(Feature{"group.version", 0, 1}, Feature{"metadata.version", 7, 33},
                          Feature{"off.version", 1, 2}));
}

TEST_F(ApiVersionsTest, AFeatureAtLevel0IsNotFinalized) {
  const auto response = ask(4, from("n", "1"));
  using Level = ApiVersionsResponse::FinalizedFeatureKey;
  EXPECT_THAT(response.finalized_features,
              ElementsAre(Level{"group.version", 1, 1}, Level{"metadata.version", 33, 33}));
  EXPECT_GE(response.finalized_features_epoch, 0);
}

}  // namespace
}  // namespace muster::host
