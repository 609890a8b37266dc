// Finds whole frames in what a socket brought. Memory grows with the bytes that came, never with a
// claimed length.
#pragma once

#include "runtime/bytes.hpp"

#include <optional>

namespace muster::host {

class Frames {
 public:
  explicit Frames(std::size_t frame_bytes_max) : frame_bytes_max_(frame_bytes_max) {}

  // Where the socket may write next; never empty.
  std::span<std::uint8_t> space();
  void arrived(std::size_t bytes) { end_ += bytes; }

  // The next whole frame without its length, or nothing yet. Valid until the next call of space().
  std::optional<Bytes> next();
  // A length that no frame may have was claimed: the connection must close.
  bool broken() const { return broken_; }
  std::size_t buffered() const { return end_ - begin_; }

 private:
  std::size_t frame_bytes_max_;
  Buffer memory_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t wanted_ = 0;  // of the frame that is incomplete
  bool broken_ = false;
};

}  // namespace muster::host
