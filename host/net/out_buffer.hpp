// Bytes on their way to a socket: copied small answers, and shared parts that are not copied. One
// connection's.
#pragma once

#include "runtime/answer.hpp"

namespace muster::host {

class OutBuffer {
 public:
  bool empty() const { return bytes_.empty() && shared_.empty(); }
  std::size_t size() const { return bytes_.size() + shared_bytes_; }
  Buffer& bytes() { return bytes_; }
  // The parts go out after what was appended so far. The pieces must not be empty in total.
  void append(SharedParts parts);
  void clear();
  void swap(OutBuffer& other) noexcept;

  // Calls visit(pointer, size) for each piece in order, skipping the first `skip` bytes.
  template <class Visit>
  void each_from(std::size_t skip, Visit&& visit) const {
    const auto piece = [&](const std::uint8_t* data, std::size_t size) {
      const std::size_t over = std::min(skip, size);
      skip -= over;
      if (size > over) visit(data + over, size - over);
    };
    std::size_t done = 0;
    for (const Insert& insert : shared_) {
      piece(bytes_.data() + done, insert.at - done);
      done = insert.at;
      for (const muster_bytes& part : insert.parts.parts()) piece(part.data, part.size);
    }
    piece(bytes_.data() + done, bytes_.size() - done);
  }

 private:
  struct Insert {
    std::size_t at;  // in bytes_
    SharedParts parts;
  };

  Buffer bytes_;
  std::vector<Insert> shared_;
  std::size_t shared_bytes_ = 0;
};

}  // namespace muster::host
