// One event, one line.
#include "observe/log.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace muster::host {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::StartsWith;

class LogTest : public ::testing::Test {
 protected:
  LogSettings settings(Severity least, bool json = false) {
    return {least, json, [this](std::string_view line) { lines_.emplace_back(line); }};
  }

  std::vector<std::string> lines_;
};

TEST_F(LogTest, TextLineHasTimeLevelComponentMessageAndFields) {
  Log log(settings(Severity::info));
  log.info("net", "listener bound", {{"address", "127.0.0.1:9092"}, {"connections", 3}});

  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_THAT(lines_[0], MatchesRegex("[0-9-]+T[0-9:]+\\.[0-9]+Z info    net: listener bound "
                                      "address=127.0.0.1:9092 connections=3"));
}

TEST_F(LogTest, LessThanTheLevelIsNotWritten) {
  Log log(settings(Severity::warn));
  log.debug("a", "b");
  log.info("a", "b");
  log.warn("a", "w");
  log.error("a", "e");

  EXPECT_THAT(lines_, ElementsAre(EndsWith("w"), EndsWith("e")));
  EXPECT_FALSE(log.enabled(Severity::info));
  EXPECT_TRUE(log.enabled(Severity::warn));
}

TEST_F(LogTest, MessageOfSeveralLinesStaysOneLine) {
  Log log(settings(Severity::info));
  log.info("plugin", "first\nsecond\x01", {{"text", "a b\nc"}});

  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_THAT(lines_[0], HasSubstr("first\\nsecond\\x01 text=\"a b\\nc\""));
}

TEST_F(LogTest, JsonLineIsOneObjectWithNumbersAsNumbers) {
  Log log(settings(Severity::info, true));
  log.warn("net", "said \"no\"", {{"port", 9092}, {"who", "x y"}});

  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_THAT(lines_[0], StartsWith("{\"time\":\""));
  EXPECT_THAT(lines_[0], EndsWith("\"level\":\"warning\",\"component\":\"net\",\"message\":\"said "
                                  "\\\"no\\\"\",\"port\":9092,\"who\":\"x y\"}"));
}

TEST_F(LogTest, JsonSurvivesBytesThatAreNotText) {
  Log log(settings(Severity::info, true));
  log.info("net", std::string_view("\xff\xfe", 2));

  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_THAT(lines_[0], EndsWith("\"}"));
}

TEST_F(LogTest, BracesInAMessageAreNotAFormat) {
  Log log(settings(Severity::info));
  log.info("x", "{} {0} %d %v");

  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_THAT(lines_[0], EndsWith("x: {} {0} %d %v"));
}

TEST_F(LogTest, PluginWritesUnderItsName) {
  Log log(settings(Severity::info));
  const muster_log_v1* service = log.service_for("consumer");
  const std::string_view text = "hello";

  EXPECT_EQ(service, log.service_for("consumer"));
  EXPECT_EQ(service->enabled(service->self, MUSTER_LOG_DEBUG), 0);
  EXPECT_EQ(service->enabled(service->self, MUSTER_LOG_WARN), 1);
  service->write(service->self, MUSTER_LOG_DEBUG, {text.data(), text.size()});
  service->write(service->self, MUSTER_LOG_WARN, {text.data(), text.size()});
  service->write(service->self, 77, {nullptr, 0});
  EXPECT_THAT(lines_,
              ElementsAre(EndsWith("warning consumer: hello"), EndsWith("error   consumer: ")));
}

}  // namespace
}  // namespace muster::host
