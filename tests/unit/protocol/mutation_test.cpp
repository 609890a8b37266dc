// Damaged vectors: whatever the bytes, decoding returns. The seed is fixed, so a failure repeats.
#include "probe.hpp"
#include "vector_file.hpp"

#include <gtest/gtest.h>

#include <random>

namespace muster::protocol::testing {
namespace {

constexpr std::size_t largest_vector = 4096;
constexpr int mutations_a_vector = 24;

class Mutator {
 public:
  Buffer mutate(Buffer bytes) {
    for (std::size_t left = 1 + pick(3); left > 0; --left) change(bytes);
    return bytes;
  }

 private:
  std::size_t pick(std::size_t choices) { return random_() % choices; }

  void change(Buffer& bytes) {
    if (bytes.empty()) return bytes.push_back(static_cast<std::uint8_t>(random_()));
    const std::size_t at = pick(bytes.size());
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (pick(6)) {
      case 0: bytes[at] = static_cast<std::uint8_t>(random_()); break;
      case 1: bytes[at] ^= static_cast<std::uint8_t>(1U << pick(8)); break;
      case 2: bytes.resize(at); break;
      case 3: bytes.insert(place, static_cast<std::uint8_t>(random_())); break;
      case 4: bytes.erase(place); break;
      default: overwrite(bytes, at); break;
    }
  }

  // With what a length or a count could be at its worst.
  void overwrite(Buffer& bytes, std::size_t at) {
    static const std::vector<Buffer> lengths = {{0x7F, 0xFF, 0xFF, 0xFF},
                                                {0x80, 0, 0, 0},
                                                {0xFF, 0xFF, 0xFF, 0xFF, 0x0F},
                                                {0x7F, 0xFF},
                                                {0x80, 0x80, 0x80, 8},
                                                {0xFF, 0xFF, 0xFF, 0xFE},
                                                {0, 0, 0x7F, 0xFF},
                                                {0xFF, 0xFF, 0xFF, 0x7F}};
    const Buffer& length = lengths[pick(lengths.size())];
    for (std::size_t i = 0; i < length.size() && at + i < bytes.size(); ++i) {
      bytes[at + i] = length[i];
    }
  }

  std::mt19937 random_{20240229};
};

TEST(ProtocolMutations, DamagedMessagesAreRefusedOrMeanSomething) {
  Mutator mutator;
  std::size_t tried = 0;
  for_each_vector([&](const Vector& vector) {
    if (vector.style == "framed" || vector.bytes.size() > largest_vector) return;
    const Probe* probe = find_probe(vector.message);
    ASSERT_NE(probe, nullptr);
    for (int i = 0; i < mutations_a_vector; ++i) {
      // A block of its own size, so that a sanitizer sees the first byte read beyond it.
      const Buffer damaged = mutator.mutate(vector.bytes);
      ASSERT_TRUE(probe->survives(damaged, vector.version))
          << vector.message << " v" << vector.version << " " << to_hex(damaged);
      ++tried;
    }
  });
  EXPECT_GT(tried, 100000U);
}

TEST(ProtocolMutations, EveryCutOfAFullMessageIsRefusedOrMeansSomething) {
  for_each_vector([&](const Vector& vector) {
    if (vector.style != "full" || vector.bytes.size() > 1000) return;
    const Probe* probe = find_probe(vector.message);
    for (std::size_t size = 0; size < vector.bytes.size(); ++size) {
      const Buffer cut(vector.bytes.begin(),
                       vector.bytes.begin() + static_cast<std::ptrdiff_t>(size));
      ASSERT_TRUE(probe->survives(cut, vector.version)) << vector.message << " " << to_hex(cut);
    }
  });
}

}  // namespace
}  // namespace muster::protocol::testing
