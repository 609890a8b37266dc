// What `muster topic` and `muster group` print, as text and as JSON.
#include "cli/group_report.hpp"
#include "cli/text_table.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace muster::host {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

template <class Printed, class PrintedForm>
std::string printed(const Printed& what, PrintedForm form) {
  std::ostringstream out;
  print(what, form, out);
  return out.str();
}

TEST(TextTable, ColumnsAreAsWideAsTheirWidestCellAndLinesEndWithoutSpaces) {
  TextTable table({{"NAME"}, {"COUNT", Align::right}, {"NOTE"}});
  table.add({"a", "12", "x"});
  table.add({"longer", "3", ""});
  std::ostringstream out;
  table.print(out);
  EXPECT_EQ(out.str(),
            "NAME    COUNT  NOTE\n"
            "a          12  x\n"
            "longer      3\n");
}

TEST(TextTable, LettersBeyondAsciiTakeOneColumn) {
  TextTable table({{"A"}, {"B"}});
  table.add({"\u00e9\u00e9", "x"});
  table.add({"abc", "y"});
  std::ostringstream out;
  table.print(out);
  EXPECT_EQ(out.str(), "A    B\n\u00e9\u00e9   x\nabc  y\n");
}

TEST(TextTable, ANameCannotSteerTheTerminal) {
  EXPECT_EQ(printable("a\x1b[2Jb\n"), "a\\x1b[2Jb\\x0a");
  EXPECT_EQ(printable("plain \u00e9"), "plain \u00e9");
}

TEST(TopicReport, NoTopicsAreASentenceAndAnEmptyArray) {
  EXPECT_EQ(printed(std::vector<TopicRow>{}, Form::text), "no topics\n");
  EXPECT_EQ(json::parse(printed(std::vector<TopicRow>{}, Form::json)), json::array());
}

TEST(TopicReport, TopicsAreOneLineEach) {
  const std::vector<TopicRow> topics{{"orders", "id1", 12, false}, {"__x", "id2", 1, true}};
  EXPECT_EQ(printed(topics, Form::text),
            "TOPIC   PARTITIONS  INTERNAL  ID\n"
            "orders          12  no        id1\n"
            "__x              1  yes       id2\n");
  EXPECT_EQ(json::parse(printed(topics, Form::json)).at(0),
            (json{{"name", "orders"}, {"id", "id1"}, {"partitions", 12}, {"internal", false}}));
}

TopicDescription orders() {
  TopicDescription description;
  description.topic = {"orders", "id1", 2, false};
  description.partitions.push_back({0, 1, {1, 2}, {1}, 5, 17});
  description.partitions.push_back(
      {1, -1, {2}, {}, std::unexpected("NOT_LEADER_OR_FOLLOWER"), std::unexpected("X")});
  description.configs.push_back({"retention.ms", "60000", true});
  description.configs.push_back({"segment.bytes", "1073741824", false});
  return description;
}

TEST(TopicReport, APartitionWithoutLeaderShowsTheErrorInsteadOfOffsets) {
  const std::string text = printed(orders(), TopicForm{});
  EXPECT_THAT(text,
              HasSubstr("PARTITION  LEADER  REPLICAS  IN SYNC                   START  END\n"
                        "        0       1  1,2       1                             5   17\n"
                        "        1       -  2         -        NOT_LEADER_OR_FOLLOWER    X\n"));
}

TEST(TopicReport, TextShowsTheConfigsOfTheTopicAndAllOnlyIfAsked) {
  EXPECT_THAT(printed(orders(), TopicForm{}), HasSubstr("retention.ms  60000  on the topic\n"));
  EXPECT_THAT(printed(orders(), TopicForm{}), Not(HasSubstr("segment.bytes")));
  EXPECT_THAT(printed(orders(), TopicForm{Form::text, true}), HasSubstr("segment.bytes"));
}

TEST(TopicReport, JsonHasAllConfigsAndNullForWhatIsNotKnown) {
  const json read = json::parse(printed(orders(), TopicForm{Form::json}));
  EXPECT_EQ(read.at("configs").size(), 2u);
  EXPECT_EQ(read.at("partitions").at(0).at("end"), 17);
  EXPECT_TRUE(read.at("partitions").at(1).at("end").is_null());
  EXPECT_EQ(read.at("partitions").at(1).at("error"), "X");
}

TEST(TopicReport, ConfigsThatAreNotToldSayWhy) {
  TopicDescription description = orders();
  description.configs_unknown = "DescribeConfigs: INVALID_REQUEST";
  EXPECT_THAT(printed(description, TopicForm{}),
              HasSubstr("not told: DescribeConfigs: INVALID_REQUEST\n"));
  const json read = json::parse(printed(description, TopicForm{Form::json}));
  EXPECT_TRUE(read.at("configs").is_null());
  EXPECT_EQ(read.at("configs_unknown"), "DescribeConfigs: INVALID_REQUEST");
}

TEST(GroupReport, PartitionsAreRanges) {
  EXPECT_EQ(text_of({}), "-");
  EXPECT_EQ(text_of({{"b", {0, 1, 2, 5}}, {"a", {7}}}), "a 7; b 0-2,5");
}

TEST(GroupReport, GroupsAreOneLineEachWhateverTheirType) {
  const std::vector<GroupRow> groups{{"g", "consumer", "consumer", "Stable"},
                                     {"s", "share", "", "Empty"}};
  EXPECT_EQ(printed(groups, Form::text),
            "GROUP  TYPE      STATE   PROTOCOL\n"
            "g      consumer  Stable  consumer\n"
            "s      share     Empty   -\n");
  EXPECT_EQ(json::parse(printed(groups, Form::json)).at(1).at("type"), "share");
}

GroupDescription readers() {
  GroupDescription description;
  description.group = {"readers", "consumer", "consumer", "Stable"};
  description.epoch = 3;
  description.assignment_epoch = 3;
  description.assignor = "uniform";
  MemberRow& member = description.members.emplace_back();
  member.id = "m1";
  member.client_id = "c";
  member.client_host = "/127.0.0.1";
  member.epoch = 3;
  member.topics = {"t"};
  member.assigned = {{"t", {0, 1}}};
  member.target = member.assigned;
  description.offsets.push_back({"t", 0, 10, "", 25, "m1"});
  description.offsets.push_back({"t", 1, std::nullopt, "", 4, "m1"});
  return description;
}

TEST(GroupReport, AGroupIsItsStateItsMembersAndTheirLag) {
  EXPECT_EQ(printed(readers(), Form::text),
            "group     readers\n"
            "type      consumer\n"
            "state     Stable\n"
            "epoch     3\n"
            "assignor  uniform\n"
            "members   1\n"
            "\n"
            "MEMBER  CLIENT  HOST        EPOCH  SUBSCRIBED  ASSIGNED\n"
            "m1      c       /127.0.0.1      3  t           t 0-1\n"
            "\n"
            "TOPIC  PARTITION  COMMITTED  END  LAG  MEMBER\n"
            "t              0         10   25   15  m1\n"
            "t              1          -    4    -  m1\n");
}

TEST(GroupReport, TheTargetShowsOnlyWhileItIsNotReached) {
  GroupDescription description = readers();
  EXPECT_THAT(printed(description, Form::text), Not(HasSubstr("TARGET")));
  description.members[0].target = PartitionsByTopic{{"t", {0}}};
  EXPECT_THAT(printed(description, Form::text), HasSubstr("ASSIGNED  TARGET\n"));
}

TEST(GroupReport, LagIsNeverNegativeAndUnknownWithoutBothOffsets) {
  EXPECT_EQ((OffsetRow{"t", 0, 9, "", 4, ""}.lag()), 0);
  EXPECT_EQ((OffsetRow{"t", 0, 9, "", std::unexpected("X"), ""}.lag()), std::nullopt);
  EXPECT_EQ((OffsetRow{"t", 0, std::nullopt, "", 4, ""}.lag()), std::nullopt);
}

TEST(GroupReport, JsonHasTheWholeGroup) {
  const json read = json::parse(printed(readers(), Form::json));
  EXPECT_EQ(read.at("epoch"), 3);
  EXPECT_EQ(read.at("members").at(0).at("assigned"), (json{{"t", {0, 1}}}));
  EXPECT_EQ(read.at("offsets").at(0).at("lag"), 15);
  EXPECT_TRUE(read.at("offsets").at(1).at("committed").is_null());
}

TEST(GroupReport, BytesThatAreNoTextStillMakeJson) {
  GroupDescription description = readers();
  description.group.id = "\xff\xfe";
  EXPECT_EQ(json::parse(printed(description, Form::json)).at("id"), "\ufffd\ufffd");
}

TEST(GroupReport, WhatATypeDoesNotTellIsASentence) {
  GroupDescription description = readers();
  description.members.clear();
  description.members_unknown = "it is new";
  EXPECT_THAT(printed(description, Form::text), HasSubstr("members   not told: it is new\n"));
  const json read = json::parse(printed(description, Form::json));
  EXPECT_TRUE(read.at("members").is_null());
  EXPECT_EQ(read.at("members_unknown"), "it is new");
}

}  // namespace
}  // namespace muster::host
