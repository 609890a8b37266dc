// Fanout: many answers become one, in part order.
#include "dispatch/fanout.hpp"

#include "support/manual_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::host {
namespace {

using ::testing::ElementsAre;

class FanoutTest : public ::testing::Test {
 protected:
  // Joins the bodies with '+'; "bad" in one of them cannot be joined.
  std::shared_ptr<Fanout> make(std::size_t parts) {
    const auto join = [this](const muster_request& request, const std::vector<muster_bytes>& all,
                             Buffer& out) {
      ++joins;
      std::string text(from_abi(request.client_id));
      for (const muster_bytes& one : all) {
        const std::string body(reinterpret_cast<const char*>(one.data), one.size);
        if (body == "bad") return false;
        text += "+" + body;
      }
      out.assign(text.begin(), text.end());
      return true;
    };
    std::string client_id = "c";
    muster_request request{};
    request.struct_size = sizeof request;
    request.client_id = to_abi(std::string_view(client_id));
    auto fanout = std::make_shared<Fanout>(request, parts, join, ReplyTo{answers, 5});
    client_id = "?";  // the frame is gone before the parts answer
    return fanout;
  }
  static void body(Fanout& fanout, std::uint64_t slot, std::string_view text) {
    fanout.deliver(slot, {AnswerKind::body,
                          Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()),
                          {}});
  }

  int joins = 0;
  std::shared_ptr<testing::Answers> answers = std::make_shared<testing::Answers>();
};

TEST_F(FanoutTest, FoldsInPartOrderOnceTheLastHasAnswered) {
  const auto fanout = make(3);
  body(*fanout, 2, "c");
  body(*fanout, 0, "a");
  EXPECT_EQ(answers->of(5), "-");
  body(*fanout, 1, "b");
  EXPECT_EQ(answers->of(5), "c+a+b+c");
  EXPECT_EQ(answers->times[5], 1);
}

TEST_F(FanoutTest, SharedPartsAreFoldedLikeBodies) {
  const auto fanout = make(2);
  static int released;
  released = 0;
  const std::string left = "le";
  const std::string right = "ft";
  const muster_bytes pieces[] = {
      {reinterpret_cast<const std::uint8_t*>(left.data()), left.size()},
      {reinterpret_cast<const std::uint8_t*>(right.data()), right.size()}};
  fanout->deliver(
      0, {AnswerKind::shared, {}, SharedParts(pieces, 2, [](void*) { ++released; }, nullptr)});
  EXPECT_EQ(released, 1);
  body(*fanout, 1, "x");
  EXPECT_EQ(answers->of(5), "c+left+x");
}

TEST_F(FanoutTest, NoPartsAreFoldedAtOnce) {
  make(0)->finish();
  EXPECT_EQ(answers->of(5), "c");
}

TEST_F(FanoutTest, APartThatClosesOrIsSilentDecidesForAll) {
  for (const AnswerKind kind : {AnswerKind::close, AnswerKind::none}) {
    const auto fanout = make(2);
    fanout->deliver(0, {kind, {}, {}});
    body(*fanout, 1, "b");
    EXPECT_EQ(answers->of(5), kind == AnswerKind::close ? "(close)" : "(none)");
  }
  EXPECT_EQ(joins, 0);
}

TEST_F(FanoutTest, WhatCannotBeJoinedCloses) {
  const auto fanout = make(1);
  body(*fanout, 0, "bad");
  EXPECT_EQ(answers->of(5), "(close)");
}

TEST_F(FanoutTest, PartsMayAnswerFromAnyThread) {
  constexpr std::size_t parts = 64;
  const auto fanout = make(parts);
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < 4; ++first) {
    threads.emplace_back([&, first] {
      for (std::size_t i = first; i < parts; i += 4) body(*fanout, i, std::to_string(i));
    });
  }
  for (auto& thread : threads) thread.join();
  std::string expected = "c";
  for (std::size_t i = 0; i < parts; ++i) expected += "+" + std::to_string(i);
  EXPECT_EQ(answers->of(5), expected);
  EXPECT_THAT(answers->order, ElementsAre(5));
}

}  // namespace
}  // namespace muster::host
