// AnswerQueue and OutBuffer: answers leave in request order, framed, shared bytes uncopied.
#include "net/answer_queue.hpp"

#include <gmock/gmock.h>

namespace muster::host {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Buffer out_bytes(const OutBuffer& out, std::size_t skip = 0) {
  Buffer all;
  out.each_from(skip, [&](const OutPiece& piece) {
    all.insert(all.end(), piece.data, piece.data + piece.size);
    return true;
  });
  return all;
}

ResponseShape shape(std::int32_t correlation_id, std::size_t bytes = 10, bool flexible = false) {
  return {correlation_id, flexible, bytes};
}

Answer body(const Buffer& bytes) { return {AnswerKind::body, bytes, {}}; }
Answer of_kind(AnswerKind kind) { return {kind, {}, {}}; }

// Bytes that count how often they were released.
struct Owned {
  Buffer first{1, 2};
  Buffer second{3};
  int released = 0;

  Answer answer() {
    const muster_bytes parts[] = {to_abi(Bytes(first)), to_abi(Bytes(second))};
    return {AnswerKind::shared,
            {},
            SharedParts(parts, 2, [](void* self) { ++static_cast<Owned*>(self)->released; }, this)};
  }
};

TEST(AnswerQueue, AnAnswerIsFramedWithItsCorrelationId) {
  AnswerQueue queue;
  OutBuffer out;
  EXPECT_TRUE(queue.fill(queue.open(shape(0x01020304)), body({7, 8}), out));
  EXPECT_THAT(out_bytes(out), ElementsAre(0, 0, 0, 6, 1, 2, 3, 4, 7, 8));
}

TEST(AnswerQueue, AFlexibleHeaderHasAnEmptyTagSection) {
  AnswerQueue queue;
  OutBuffer out;
  EXPECT_TRUE(queue.fill(queue.open(shape(-1, 10, true)), body({7}), out));
  EXPECT_THAT(out_bytes(out), ElementsAre(0, 0, 0, 6, 0xFF, 0xFF, 0xFF, 0xFF, 0, 7));
}

TEST(AnswerQueue, AnswersLeaveInRequestOrderHoweverTheyCome) {
  AnswerQueue queue;
  OutBuffer out;
  const auto first = queue.open(shape(1));
  const auto second = queue.open(shape(2));
  const auto third = queue.open(shape(3));
  EXPECT_TRUE(queue.fill(third, body({33}), out));
  EXPECT_TRUE(queue.fill(second, body({22}), out));
  EXPECT_TRUE(out.empty());
  EXPECT_TRUE(queue.fill(first, body({11}), out));
  EXPECT_THAT(out_bytes(out), ElementsAre(0, 0, 0, 5, 0, 0, 0, 1, 11,  //
                                          0, 0, 0, 5, 0, 0, 0, 2, 22,  //
                                          0, 0, 0, 5, 0, 0, 0, 3, 33));
}

TEST(AnswerQueue, ABodyThatWaitsIsKeptWhenItsOwnerChangesIt) {
  AnswerQueue queue;
  OutBuffer out;
  const auto first = queue.open(shape(1));
  const auto second = queue.open(shape(2));
  Buffer transient{22};
  EXPECT_TRUE(queue.fill(second, body(transient), out));
  transient[0] = 99;
  EXPECT_TRUE(queue.fill(first, of_kind(AnswerKind::none), out));
  EXPECT_THAT(out_bytes(out), ElementsAre(0, 0, 0, 5, 0, 0, 0, 2, 22));
}

TEST(AnswerQueue, NoAnswerMakesRoomForTheNext) {
  AnswerQueue queue;
  OutBuffer out;
  const auto first = queue.open(shape(1));
  EXPECT_TRUE(queue.fill(first, of_kind(AnswerKind::none), out));
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(queue.unanswered(), 0u);
  EXPECT_TRUE(queue.fill(queue.open(shape(2)), body({}), out));
  EXPECT_THAT(out_bytes(out), ElementsAre(0, 0, 0, 4, 0, 0, 0, 2));
}

TEST(AnswerQueue, ACloseComesAfterEarlierAnswersAndBeforeLaterOnes) {
  AnswerQueue queue;
  OutBuffer out;
  const auto first = queue.open(shape(1));
  const auto second = queue.open(shape(2));
  const auto third = queue.open(shape(3));
  EXPECT_TRUE(queue.fill(third, body({33}), out));
  EXPECT_TRUE(queue.fill(second, of_kind(AnswerKind::close), out));
  EXPECT_FALSE(queue.fill(first, body({11}), out));
  EXPECT_THAT(out_bytes(out), ElementsAre(0, 0, 0, 5, 0, 0, 0, 1, 11));
  EXPECT_FALSE(queue.fill(third, body({33}), out));
  EXPECT_EQ(out.size(), 9u);
}

TEST(AnswerQueue, ASecondAnswerToTheSameRequestIsDropped) {
  AnswerQueue queue;
  OutBuffer out;
  const auto first = queue.open(shape(1));
  EXPECT_TRUE(queue.fill(first, body({11}), out));
  EXPECT_TRUE(queue.fill(first, body({12}), out));
  EXPECT_TRUE(queue.fill(first + 5, body({13}), out));
  EXPECT_EQ(out.size(), 9u);
}

TEST(AnswerQueue, BytesOfARequestCountUntilItsAnswerLeaves) {
  AnswerQueue queue;
  OutBuffer out;
  const auto first = queue.open(shape(1, 100));
  const auto second = queue.open(shape(2, 20));
  EXPECT_EQ(queue.unanswered_bytes(), 120u);
  EXPECT_TRUE(queue.fill(second, body({1}), out));
  EXPECT_EQ(queue.unanswered_bytes(), 120u);
  EXPECT_TRUE(queue.fill(first, body({1}), out));
  EXPECT_EQ(queue.unanswered_bytes(), 0u);
  EXPECT_EQ(queue.unanswered(), 0u);
}

TEST(AnswerQueue, SharedPartsLeaveFromWhereTheyLie) {
  Owned owned;
  AnswerQueue queue;
  OutBuffer out;
  EXPECT_TRUE(queue.fill(queue.open(shape(1)), owned.answer(), out));
  EXPECT_TRUE(queue.fill(queue.open(shape(2)), body({9}), out));
  EXPECT_THAT(out_bytes(out), ElementsAre(0, 0, 0, 7, 0, 0, 0, 1, 1, 2, 3,  //
                                          0, 0, 0, 5, 0, 0, 0, 2, 9));
  std::vector<const std::uint8_t*> pieces;
  out.each_from(0, [&](const OutPiece& piece) {
    pieces.push_back(piece.data);
    return true;
  });
  EXPECT_THAT(pieces, ::testing::IsSupersetOf(
                          {std::as_const(owned.first).data(), std::as_const(owned.second).data()}));
  EXPECT_EQ(owned.released, 0);
  out.clear();
  EXPECT_EQ(owned.released, 1);
}

TEST(AnswerQueue, SharedPartsThatWaitAreNeitherCopiedNorReleasedBefore) {
  Owned owned;
  AnswerQueue queue;
  OutBuffer out;
  const auto first = queue.open(shape(1));
  const auto second = queue.open(shape(2));
  EXPECT_TRUE(queue.fill(second, owned.answer(), out));
  EXPECT_EQ(owned.released, 0);
  EXPECT_TRUE(queue.fill(first, of_kind(AnswerKind::none), out));
  std::vector<const std::uint8_t*> pieces;
  out.each_from(8, [&](const OutPiece& piece) {
    pieces.push_back(piece.data);
    return true;
  });
  EXPECT_THAT(pieces, ElementsAre(owned.first.data(), owned.second.data()));
}

TEST(AnswerQueue, PartsInFilesLeaveAsTheirPlaces) {
  const Buffer framing{1, 2, 3};
  const muster_piece given[] = {{framing.data(), 3, 0, -1}, {nullptr, 100, 40, 7}};
  AnswerQueue queue;
  OutBuffer out;
  const auto slot = queue.open(shape(1));
  EXPECT_TRUE(
      queue.fill(slot, {AnswerKind::shared, {}, SharedParts(given, 2, nullptr, nullptr)}, out));
  EXPECT_EQ(out.size(), 8U + 103U);
  std::vector<OutPiece> pieces;
  // Ten bytes of the file are out already.
  out.each_from(8 + 3 + 10, [&](const OutPiece& piece) {
    pieces.push_back(piece);
    return true;
  });
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].data, nullptr);
  EXPECT_EQ(pieces[0].size, 90U);
  EXPECT_EQ(pieces[0].in.file, 7);
  EXPECT_EQ(pieces[0].in.offset, 50);
}

TEST(AnswerQueue, SharedPartsOfADroppedAnswerAreReleased) {
  Owned owned;
  {
    AnswerQueue queue;
    OutBuffer out;
    const auto first = queue.open(shape(1));
    const auto second = queue.open(shape(2));
    EXPECT_TRUE(queue.fill(second, owned.answer(), out));
    EXPECT_FALSE(queue.fill(first, of_kind(AnswerKind::close), out));
    EXPECT_TRUE(out.empty());
  }
  EXPECT_EQ(owned.released, 1);
}

TEST(OutBuffer, EveryBytePositionCanBeResumedFrom) {
  Owned owned;
  OutBuffer out;
  out.bytes() = {10, 11};
  out.append(owned.answer().shared);
  out.bytes().push_back(12);
  const Buffer whole{10, 11, 1, 2, 3, 12};
  ASSERT_EQ(out.size(), whole.size());
  for (std::size_t skip = 0; skip <= whole.size(); ++skip) {
    const Buffer rest(whole.begin() + static_cast<std::ptrdiff_t>(skip), whole.end());
    EXPECT_EQ(out_bytes(out, skip), rest) << "from " << skip;
  }
}

TEST(OutBuffer, ASwapTakesEverythingAlong) {
  Owned owned;
  OutBuffer out;
  OutBuffer sending;
  out.bytes() = {10};
  out.append(owned.answer().shared);
  sending.swap(out);
  EXPECT_TRUE(out.empty());
  EXPECT_EQ(out.size(), 0u);
  EXPECT_EQ(sending.size(), 4u);
  EXPECT_THAT(out_bytes(sending), ElementsAre(10, 1, 2, 3));
}

TEST(OutBuffer, ABurstsMemoryIsNotKept) {
  OutBuffer out;
  out.bytes().resize(1u << 20);
  out.clear();
  EXPECT_LE(out.bytes().capacity(), 64u << 10);
  EXPECT_THAT(out_bytes(out), IsEmpty());
}

}  // namespace
}  // namespace muster::host
