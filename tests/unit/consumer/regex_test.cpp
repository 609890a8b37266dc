// Subscriptions by regular expression.
#include <gmock/gmock.h>

#include "consumer_rig.hpp"

namespace muster::consumer {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ConsumerGroupRegex : public ::testing::TestWithParam<Door> {
 protected:
  void SetUp() override {
    rig.topic("topic-1", 1);
    rig.topic("topic-2", 1);
    rig.topic("other", 1);
  }
  // m1 subscribed to ^topic.*, matched and assigned: epoch 2.
  void settle() {
    rig.send(joins_regex("m1", "^topic.*"));
    rig.match();
    rig.beat(beats("m1", 1));
  }

  ConsumerRig rig{GetParam()};
};
BOTH_DOORS(ConsumerGroupRegex);

TEST_P(ConsumerGroupRegex, ANewOneIsMatchedApartAndBumpsWhenItsResultArrives) {
  EXPECT_EQ(rig.send(joins_regex("m1", "^topic.*")), ok("m1", 1, ""));
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 [] regex=^topic.*", "8 m1 at 1 after 0 stable"}));
  ASSERT_EQ(rig.matches.size(), 1U);
  EXPECT_EQ(rig.matches[0].task.key, "regex g");
  EXPECT_EQ(rig.matches[0].task.kind, "work/regex");
  rig.match();
  EXPECT_EQ(rig.stored(), (Lines{"16 ^topic.* [topic-1,topic-2] at +0", "3 epoch 2"}));
  EXPECT_EQ(rig.beat(beats("m1", 1)), ok("m1", 2, "topic-1:0 topic-2:0"));
  rig.reload();
}

TEST_P(ConsumerGroupRegex, TheWholeNameMustMatch) {
  rig.send(joins_regex("m1", "^topic"));
  rig.match();
  EXPECT_EQ(rig.stored(), (Lines{"16 ^topic [] at +0"}));
  rig.send(joins_regex("m2", "^topic*").in("h"));
  rig.match();
  EXPECT_EQ(rig.stored(), (Lines{"16 ^topic* [] at +0"}));
}

TEST_P(ConsumerGroupRegex, InternalTopicsMatchToo) {
  rig.topic("__internal", {.partitions = 1, .internal = true});
  rig.send(joins_regex("m1", "__.*"));
  rig.match();
  EXPECT_EQ(rig.stored().at(0), "16 __.* [__internal] at +0");
}

TEST_P(ConsumerGroupRegex, OneThatDoesNotCompileIsRefusedAndMakesNoGroup) {
  const auto answer = rig.send(joins_regex("m1", "[a-"));
  EXPECT_EQ(answer->error, 128);
  EXPECT_EQ(answer->message,
            "SubscribedTopicRegex `[a-` is not a valid regular expression: missing closing ].");
  EXPECT_THAT(rig.last.writes, IsEmpty());
  EXPECT_EQ(rig.owner_of("g"), "");
  EXPECT_EQ(rig.send(joins_regex("m1", "*"))->message,
            "SubscribedTopicRegex `*` is not a valid regular expression: missing argument to "
            "repetition operator.");
  EXPECT_EQ(rig.send(joins_regex("m1", "(a"))->error, 128);
  EXPECT_EQ(rig.send(joins_regex("m1", "a\\"))->error, 128);
  EXPECT_EQ(rig.send(joins_regex("m1", "(?=a)"))->error, 128);
}

TEST_P(ConsumerGroupRegex, OneThatDoesNotCompileLeavesAnExistingMemberAsItWas) {
  settle();
  EXPECT_EQ(rig.send(beats("m1", 2).with_regex("("))->error, 128);
  EXPECT_THAT(rig.last.writes, IsEmpty());
  EXPECT_EQ(rig.beat(beats("m1", 2)), ok("m1", 2, std::nullopt));
}

TEST_P(ConsumerGroupRegex, TheSameOneOfASecondMemberIsNotMatchedAgain) {
  settle();
  rig.pass(11'000);
  EXPECT_EQ(rig.beat(joins_regex("m2", "^topic.*")), ok("m2", 3, ""));
  EXPECT_TRUE(rig.matches.empty());
}

TEST_P(ConsumerGroupRegex, TheLastSubscriberThatLeavesTakesTheMatchesAlong) {
  settle();
  rig.pass(11'000);
  rig.beat(joins_regex("m2", "^topic.*"));
  rig.beat(leaves("m1"));
  EXPECT_EQ(rig.stored(), (Lines{"-8 m1", "-7 m1", "-5 m1", "3 epoch 4"}));
  rig.beat(leaves("m2"));
  EXPECT_EQ(rig.stored(),
            (Lines{"-8 m2", "-7 m2", "-5 m2", "-16 ^topic.*", "3 epoch 5", "6 epoch 5 at 0"}));
}

TEST_P(ConsumerGroupRegex, AnExpiredLastSubscriberTakesTheMatchesAlong) {
  settle();
  rig.pass(45'000);
  EXPECT_EQ(rig.stored(),
            (Lines{"-8 m1", "-7 m1", "-5 m1", "-16 ^topic.*", "3 epoch 3", "6 epoch 3 at 0"}));
}

TEST_P(ConsumerGroupRegex, NamesAndExpressionTogetherAreTheUnion) {
  Beat both = joins("m1", {"other", "topic-1"}).with_regex("topic-2");
  EXPECT_EQ(rig.beat(both), ok("m1", 2, "other:0 topic-1:0"));
  rig.match();
  EXPECT_EQ(rig.stored().back(), "3 epoch 3");
  rig.pass(1000);
  EXPECT_EQ(rig.beat(beats("m1", 2)), ok("m1", 3, "other:0 topic-1:0 topic-2:0"));
}

TEST_P(ConsumerGroupRegex, ATopicTheMemberMayNotDescribeIsNotMatched) {
  rig.deny(8, 2, "topic-2");
  rig.send(joins_regex("m1", "^topic.*"));
  rig.match();
  EXPECT_EQ(rig.stored().at(0), "16 ^topic.* [topic-1] at +0");
}

TEST_P(ConsumerGroupRegex, ChangedToTheEmptyStringItBumpsAndRevokes) {
  settle();
  rig.pass(1000);
  EXPECT_EQ(rig.send(beats("m1", 2).with_regex("")), std::nullopt);
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 []", "-16 ^topic.*", "3 epoch 3"}));
  EXPECT_EQ(rig.finish(), (Answers{ok("m1", 2, "")}));
  EXPECT_EQ(rig.stored(), (Lines{"7 m1 []", "6 epoch 3 at +1000",
                                 "8 m1 at 2 after 2 unrevoked revoking topic-1:0@2 topic-2:0@2"}));
  EXPECT_EQ(rig.beat(beats("m1", 2).owns("")), ok("m1", 3, std::nullopt));
}

TEST_P(ConsumerGroupRegex, ChangedToOneThatIsMatchedAlreadyItBumpsAtOnce) {
  settle();
  rig.pass(11'000);
  rig.beat(joins("m2", {"other"}));
  rig.pass(1000);
  EXPECT_EQ(rig.send(beats("m2", 3).with_regex("^topic.*")), std::nullopt);
  EXPECT_EQ(rig.stored(), (Lines{"5 m2 [other] regex=^topic.*", "3 epoch 4"}));
}

TEST_P(ConsumerGroupRegex, ChangedToANewOneItBumpsWithTheResultOnly) {
  settle();
  rig.pass(11'000);
  EXPECT_EQ(rig.send(beats("m1", 2).with_regex("other")), ok("m1", 2, ""));
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 [] regex=other", "-16 ^topic.*",
                                 "8 m1 at 2 after 2 unrevoked revoking topic-1:0@2 topic-2:0@2"}));
  rig.match();
  EXPECT_EQ(rig.stored(), (Lines{"16 other [other] at +11000", "3 epoch 3"}));
}

TEST_P(ConsumerGroupRegex, ACreatedTopicIsFoundByTheNextHeartbeat) {
  settle();
  rig.pass(10'001);
  rig.topic("topic-3", 1);
  EXPECT_EQ(rig.send(beats("m1", 2)), ok("m1", 2, std::nullopt));
  ASSERT_EQ(rig.matches.size(), 1U);
  rig.match();
  EXPECT_EQ(rig.stored(), (Lines{"16 ^topic.* [topic-1,topic-2,topic-3] at +10001", "3 epoch 3"}));
  // Nothing newer, so nothing is asked.
  rig.pass(10'001);
  rig.beat(beats("m1", 2));
  EXPECT_TRUE(rig.matches.empty());
}

TEST_P(ConsumerGroupRegex, BetweenTwoMatchesTenSecondsPass) {
  settle();
  rig.topic("topic-3", 1);
  rig.pass(10'000);
  rig.send(beats("m1", 2));
  EXPECT_TRUE(rig.matches.empty());
  rig.send(joins_regex("m2", "new"));
  EXPECT_TRUE(rig.matches.empty());
  rig.pass(1);
  rig.send(beats("m1", 2));
  EXPECT_EQ(rig.matches.size(), 1U);
}

TEST_P(ConsumerGroupRegex, OnlyOneMatchRunsAtATime) {
  rig.send(joins_regex("m1", "^topic.*"));
  rig.send(joins_regex("m2", "other"));
  EXPECT_EQ(rig.matches.size(), 1U);
  rig.match();
  EXPECT_EQ(rig.stored(), (Lines{"16 ^topic.* [topic-1,topic-2] at +0", "3 epoch 2"}));
  // What came meanwhile is matched with the next, when its time has come.
  rig.pass(10'001);
  rig.beat(beats("m2", 1));
  rig.match();
  EXPECT_EQ(rig.stored(), (Lines{"16 ^topic.* [topic-1,topic-2] at +10001",
                                 "16 other [other] at +10001", "3 epoch 3"}));
}

TEST_P(ConsumerGroupRegex, TheyAreMatchedAnewAfterTheRefreshInterval) {
  settle();
  rig.deny(8, 2, "topic-2");  // no topic changes, only what the member may see
  for (int i = 0; i < 60; ++i) {
    rig.pass(10'000);
    rig.beat(beats("m1", 2));
  }
  EXPECT_TRUE(rig.matches.empty());
  rig.pass(1);
  rig.beat(beats("m1", 2));
  ASSERT_EQ(rig.matches.size(), 1U);
  rig.match();
  EXPECT_EQ(rig.stored(), (Lines{"16 ^topic.* [topic-1] at +600001", "3 epoch 3"}));
}

TEST_P(ConsumerGroupRegex, AnUnchangedResultIsStoredWithoutABump) {
  settle();
  rig.topic("unrelated", 1);
  rig.pass(10'001);
  rig.beat(beats("m1", 2));
  rig.match();
  EXPECT_EQ(rig.stored(), (Lines{"16 ^topic.* [topic-1,topic-2] at +10001"}));
}

TEST_P(ConsumerGroupRegex, AResultNobodyWantsAnyMoreIsSkipped) {
  rig.send(joins_regex("m1", "^topic.*"));
  rig.send(joins("m2", {}));
  rig.beat(leaves("m1"));
  rig.match();
  EXPECT_EQ(rig.stored(), Lines{});
}

TEST_P(ConsumerGroupRegex, AResultOfAGroupThatIsGoneIsDropped) {
  rig.send(joins_regex("m1", "^topic.*"));
  rig.beat(leaves("m1"));
  rig.remove_group("g");
  rig.match();
  EXPECT_THAT(rig.last.writes, IsEmpty());
}

TEST_P(ConsumerGroupRegex, AFailedMatchIsTriedAgain) {
  rig.send(joins_regex("m1", "^topic.*"));
  rig.fail_match();
  EXPECT_EQ(rig.stored(), Lines{});
  rig.send(beats("m1", 1));
  EXPECT_EQ(rig.matches.size(), 1U);
}

TEST_P(ConsumerGroupRegex, AfterALoadTheyAreMatchedAnew) {
  settle();
  rig.reload();
  rig.pass(10'001);
  rig.beat(beats("m1", 2));
  EXPECT_EQ(rig.matches.size(), 1U);
}

TEST_P(ConsumerGroupRegex, AnEmptyOneIsNoSubscription) {
  EXPECT_EQ(rig.send(joins_regex("m1", "")), ok("m1", 1, ""));
  EXPECT_EQ(rig.stored(), (Lines{"5 m1 []", "8 m1 at 1 after 0 stable"}));
  EXPECT_TRUE(rig.matches.empty());
}

TEST_P(ConsumerGroupRegex, AStaticReplacementKeepsTheMatches) {
  rig.send(joins_regex("m1", "^topic.*").with_instance("i1"));
  rig.match();
  rig.beat(beats("m1", 1));
  rig.beat(beats("m1", -2).with_instance("i1"));
  EXPECT_EQ(rig.beat(joins_regex("m2", "^topic.*").with_instance("i1")),
            ok("m2", 2, "topic-1:0 topic-2:0"));
  for (const std::string& line : rig.stored()) EXPECT_THAT(line, ::testing::Not(HasSubstr("16")));
}

}  // namespace
}  // namespace muster::consumer
