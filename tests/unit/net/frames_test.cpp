// Frames: from what a socket brought to whole requests, with memory bounded by what came.
#include "net/frames.hpp"

#include <gmock/gmock.h>

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <numeric>

namespace muster::host {
namespace {

using ::testing::ElementsAre;

// Bytes that operator new gave and that are not given back, in this process.
std::atomic<std::size_t> live_bytes{0};

constexpr std::size_t frame_bytes_max = 104857600;

Buffer with_length(std::uint32_t claimed, const Buffer& body) {
  Buffer frame{static_cast<std::uint8_t>(claimed >> 24), static_cast<std::uint8_t>(claimed >> 16),
               static_cast<std::uint8_t>(claimed >> 8), static_cast<std::uint8_t>(claimed)};
  for (const std::uint8_t byte : body) frame.push_back(byte);
  return frame;
}

Buffer framed(const Buffer& body) {
  return with_length(static_cast<std::uint32_t>(body.size()), body);
}

// What a socket does: writes into the space there is, as often as needed. The largest space seen.
std::size_t bring(Frames& frames, Bytes bytes) {
  std::size_t largest = 0;
  while (!bytes.empty()) {
    const auto space = frames.space();
    largest = std::max(largest, space.size());
    const std::size_t count = std::min(space.size(), bytes.size());
    std::memcpy(space.data(), bytes.data(), count);
    frames.arrived(count);
    bytes = bytes.subspan(count);
  }
  return largest;
}

Buffer next(Frames& frames) {
  const auto frame = frames.next();
  return frame ? Buffer(frame->begin(), frame->end()) : Buffer{};
}

TEST(Frames, NothingIsThereBeforeAnythingCame) {
  Frames frames(frame_bytes_max);
  EXPECT_FALSE(frames.next());
  EXPECT_FALSE(frames.broken());
  EXPECT_FALSE(frames.space().empty());
}

TEST(Frames, AFrameThatComesByteByByteIsWholeWithItsLastByte) {
  Frames frames(frame_bytes_max);
  const Buffer bytes = framed({1, 2, 3});
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_FALSE(frames.next()) << "after " << i << " bytes";
    bring(frames, Bytes(bytes).subspan(i, 1));
  }
  EXPECT_THAT(next(frames), ElementsAre(1, 2, 3));
  EXPECT_FALSE(frames.next());
  EXPECT_EQ(frames.buffered(), 0u);
}

TEST(Frames, ManyFramesInOneReadComeInOrderAndTheRestWaits) {
  Frames frames(frame_bytes_max);
  Buffer bytes;
  for (const Buffer& body : {Buffer{1}, Buffer{2, 2}, Buffer{3, 3, 3}}) {
    const Buffer one = framed(body);
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  bring(frames, Bytes(bytes).first(bytes.size() - 1));
  EXPECT_THAT(next(frames), ElementsAre(1));
  EXPECT_THAT(next(frames), ElementsAre(2, 2));
  EXPECT_FALSE(frames.next());
  EXPECT_EQ(frames.buffered(), 4u + 2u);
  bring(frames, Bytes(bytes).last(1));
  EXPECT_THAT(next(frames), ElementsAre(3, 3, 3));
}

TEST(Frames, AnIllegalLengthBreaksThemWithoutMemory) {
  for (const std::uint32_t claimed : {0u, 0xFFFFFFFFu, 0x80000000u, 104857601u, 0x7FFFFFFFu}) {
    Frames frames(frame_bytes_max);
    const std::size_t before = live_bytes;
    bring(frames, with_length(claimed, {}));
    EXPECT_FALSE(frames.next()) << claimed;
    EXPECT_TRUE(frames.broken()) << claimed;
    EXPECT_LE(frames.space().size(), 4096u) << claimed;
    EXPECT_LE(live_bytes, before + 16384) << claimed;
  }
}

TEST(Frames, OnceBrokenNothingMoreComesOfThem) {
  Frames frames(frame_bytes_max);
  bring(frames, with_length(0, framed({1})));
  EXPECT_FALSE(frames.next());
  bring(frames, framed({2}));
  EXPECT_FALSE(frames.next());
  EXPECT_TRUE(frames.broken());
}

TEST(Frames, TheLargestLegalLengthIsNoReasonToTakeMemory) {
  Frames frames(frame_bytes_max);
  bring(frames, with_length(frame_bytes_max, {1, 2, 3}));
  EXPECT_FALSE(frames.next());
  EXPECT_FALSE(frames.broken());
  EXPECT_LE(frames.space().size(), 4096u);
}

TEST(Frames, MemoryGrowsWithTheBytesThatCame) {
  Frames frames(frame_bytes_max);
  Buffer body(1u << 20);
  std::iota(body.begin(), body.end(), std::uint8_t{0});
  const Buffer bytes = framed(body);
  std::size_t came = 0;
  while (came < bytes.size()) {
    const std::size_t piece = std::min<std::size_t>(1000, bytes.size() - came);
    const std::size_t largest = bring(frames, Bytes(bytes).subspan(came, piece));
    EXPECT_LE(largest, came + piece + 4096);
    came += piece;
    if (came < bytes.size()) {
      EXPECT_FALSE(frames.next());
    }
  }
  EXPECT_EQ(next(frames), body);
}

TEST(Frames, ALargeFramesMemoryIsGivenBack) {
  Frames frames(frame_bytes_max);
  const std::size_t before = live_bytes;
  bring(frames, framed(Buffer(1u << 20, 7)));
  EXPECT_EQ(next(frames).size(), 1u << 20);
  EXPECT_GE(live_bytes, before + (1u << 20));
  EXPECT_LE(frames.space().size(), 4096u);
  EXPECT_LE(live_bytes, before + 16384);
  bring(frames, framed({9}));
  EXPECT_THAT(next(frames), ElementsAre(9));
}

TEST(Frames, WhatWaitsBehindAFrameIsKeptWhenSpaceIsMade) {
  Frames frames(frame_bytes_max);
  Buffer bytes = framed(Buffer(4090, 1));  // the first memory is full, one byte of the next is in
  const Buffer second = framed({5, 6});
  bytes.insert(bytes.end(), second.begin(), second.begin() + 2);
  bring(frames, bytes);
  EXPECT_EQ(next(frames).size(), 4090u);
  EXPECT_FALSE(frames.next());
  bring(frames, Bytes(second).subspan(2));
  EXPECT_THAT(next(frames), ElementsAre(5, 6));
}

}  // namespace
}  // namespace muster::host

// Counts what is taken, so that memory which is kept can be seen.
void* operator new(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  muster::host::live_bytes += ::malloc_usable_size(memory);
  return memory;
}
void operator delete(void* memory) noexcept {
  muster::host::live_bytes -= ::malloc_usable_size(memory);
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept { operator delete(memory); }
