#include "net/frames.hpp"

#include <algorithm>
#include <cstring>

namespace muster::host {
namespace {

constexpr std::size_t first_bytes = 4u << 10;
constexpr std::size_t idle_bytes = 64u << 10;
constexpr std::size_t length_bytes = 4;

}  // namespace

std::span<std::uint8_t> Frames::space() {
  if (begin_ != 0) {
    std::memmove(memory_.data(), memory_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == 0 && memory_.size() > idle_bytes) memory_ = Buffer();  // {} would keep the capacity
  if (memory_.empty()) memory_.resize(first_bytes);
  if (end_ == memory_.size()) {
    // Doubling keeps pace with a large frame, its own length is the most that is needed.
    const std::size_t most = std::max(length_bytes + wanted_, memory_.size() + first_bytes);
    memory_.resize(std::min(memory_.size() * 2, most));
  }
  return {memory_.data() + end_, memory_.size() - end_};
}

std::optional<Bytes> Frames::next() {
  wanted_ = 0;
  if (broken_ || end_ - begin_ < length_bytes) return std::nullopt;
  const std::uint8_t* const at = memory_.data() + begin_;
  const std::uint32_t size = std::uint32_t{at[0]} << 24 | std::uint32_t{at[1]} << 16 |
                             std::uint32_t{at[2]} << 8 | std::uint32_t{at[3]};
  // Negative lengths are huge as unsigned ones.
  if (size == 0 || size > frame_bytes_max_) {
    broken_ = true;
    return std::nullopt;
  }
  wanted_ = size;
  if (end_ - begin_ - length_bytes < size) return std::nullopt;
  begin_ += length_bytes + size;
  return Bytes(at + length_bytes, size);
}

}  // namespace muster::host
