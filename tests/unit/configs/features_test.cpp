// UpdateFeatures: what Kafka's controller accepts and refuses, and what stays.
#include "config_rig.hpp"

#include "dispatch/features.hpp"
#include "runtime/kafka_error.hpp"

#include <muster/protocol/messages/update_features_request.hpp>
#include <muster/protocol/messages/update_features_response.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::host::testing {
namespace {

using protocol::UpdateFeaturesRequest;
using protocol::UpdateFeaturesResponse;

enum UpgradeType : std::int8_t { upgrade = 1, safe_downgrade = 2, unsafe_downgrade = 3 };

struct Update {
  std::string_view feature;
  std::int16_t level;
  std::int8_t type = upgrade;
};

class UpdateFeatures : public ::testing::Test {
 protected:
  static muster::testing::RequestSpec request(const std::vector<Update>& updates,
                                              std::int16_t version, bool validate_only = false) {
    UpdateFeaturesRequest message;
    message.validate_only = validate_only;
    for (const Update& update : updates) {
      message.feature_updates.push_back({.feature = update.feature,
                                         .max_version_level = update.level,
                                         .upgrade_type = update.type});
    }
    muster::testing::RequestSpec spec;
    spec.api_key = UpdateFeaturesRequest::api_key;
    spec.version = version;
    protocol::encode(message, version, spec.body);
    return spec;
  }

  Body<UpdateFeaturesResponse> ask(const std::vector<Update>& updates, std::int16_t version = 2,
                                   bool validate_only = false) {
    return ConfigRig::decode<UpdateFeaturesResponse>(
        own.rig().answer(request(updates, version, validate_only)), version);
  }
  // "" or what is wrong, without the words that every refusal begins with.
  std::string complaint(const Update& update) {
    const auto answer = ask({update});
    if (answer->error_code == 0) return "";
    EXPECT_EQ(answer->error_code, code_of(Error::invalid_update_version));
    std::string text(answer->error_message.value_or(""));
    const std::string start =
        "The update failed for all features since the following feature had an error: Invalid "
        "update version ";
    EXPECT_THAT(text, ::testing::StartsWith(start));
    return text.substr(std::min(start.size(), text.size()));
  }
  std::int16_t level(std::string_view name) { return own.options().features().find(name)->level; }

  OwnProtocolRig own{
      *feature_protocol(),
      FakePlugin("p").features({{"group.version", 0, 1, 1}, {"late.version", 1, 3, 1}}),
      {}};
};

TEST_F(UpdateFeatures, ALevelIsLoweredAndRaised) {
  EXPECT_EQ(complaint({"group.version", 0, safe_downgrade}), "");
  EXPECT_EQ(level("group.version"), 0);
  const std::int64_t epoch = own.options().features().epoch();
  EXPECT_EQ(complaint({"group.version", 1}), "");
  EXPECT_EQ(level("group.version"), 1);
  EXPECT_GT(own.options().features().epoch(), epoch) << "clients ignore what is older";
}

TEST_F(UpdateFeatures, WhatWasChangedIsThereAfterAReload) {
  ASSERT_EQ(complaint({"late.version", 3}), "");
  const std::int64_t epoch = own.options().features().epoch();
  own.rig().reload();
  EXPECT_EQ(level("late.version"), 3);
  EXPECT_EQ(own.options().features().epoch(), epoch);
}

TEST_F(UpdateFeatures, OnlyValidatedChangesNothing) {
  EXPECT_EQ(ask({{"late.version", 3}}, 2, true)->error_code, 0);
  EXPECT_EQ(level("late.version"), 1);
}

TEST_F(UpdateFeatures, WhatCannotBeIsRefusedInKafkasWords) {
  EXPECT_EQ(complaint({"group.version", 2}),
            "2 for feature group.version. Local controller 3 only supports versions 0-1");
  EXPECT_EQ(complaint({"late.version", 0, safe_downgrade}),
            "0 for feature late.version. Local controller 3 only supports versions 1-3");
  EXPECT_EQ(complaint({"no.version", 1}),
            "1 for feature no.version. Local controller 3 does not support this feature.");
  EXPECT_EQ(complaint({"group.version", -1, safe_downgrade}),
            "-1 for feature group.version. A feature version cannot be less than 0.");
  EXPECT_EQ(complaint({"group.version", 0}),
            "0 for feature group.version. Can't downgrade the version of this feature without "
            "setting the upgrade type to either safe or unsafe downgrade.");
  EXPECT_EQ(complaint({"late.version", 2, unsafe_downgrade}),
            "2 for feature late.version. Can't downgrade to a newer version.");
  EXPECT_EQ(complaint({"group.version", 0, 4}),
            "0 for feature group.version. The controller does not support the given upgrade type.");
  EXPECT_EQ(complaint({"metadata.version", 20, unsafe_downgrade}),
            "20 for feature metadata.version. Refusing to perform the requested downgrade because "
            "it might delete metadata information.");
  EXPECT_EQ(level("group.version"), 1);
}

TEST_F(UpdateFeatures, OneRefusalRefusesAll) {
  EXPECT_NE(ask({{"late.version", 3}, {"group.version", 7}})->error_code, 0);
  EXPECT_EQ(level("late.version"), 1);
}

TEST_F(UpdateFeatures, AnswersNameTheFeaturesUpToVersion1) {
  const auto old = ask({{"late.version", 2}}, 1);
  ASSERT_EQ(old->results.size(), 1u);
  EXPECT_EQ(old->results[0].feature, "late.version");
  EXPECT_EQ(old->results[0].error_code, 0);
  EXPECT_TRUE(ask({{"late.version", 3}}, 2)->results.empty());
}

TEST_F(UpdateFeatures, ACallerWhoMayNotAlterTheClusterIsRefused) {
  own.rig().host.denied = {{7, 4, "kafka-cluster"}};
  EXPECT_EQ(ask({{"late.version", 3}})->error_code, code_of(Error::cluster_authorization_failed));
  EXPECT_EQ(level("late.version"), 1);
}

TEST_F(UpdateFeatures, AShardThatIsLostTakesItsLevelsAlong) {
  ASSERT_EQ(complaint({"late.version", 3}), "");
  own.rig().close();
  EXPECT_EQ(level("late.version"), 1);
}

TEST_F(UpdateFeatures, ABodyThatCannotBeReadGoesNowhere) {
  auto spec = request({{"late.version", 3}}, 2);
  spec.body.resize(spec.body.size() / 2);
  EXPECT_EQ(own.rig().route(spec).code, MUSTER_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace muster::host::testing
