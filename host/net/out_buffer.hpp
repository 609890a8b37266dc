// Bytes on their way to a socket: copied small answers, and shared parts that are not copied. One
// connection's.
#pragma once

#include "runtime/answer.hpp"

namespace muster::host {

// data NULL: in the file.
struct OutPiece {
  const std::uint8_t* data = nullptr;
  std::size_t size = 0;
  InFile in;
};

class OutBuffer {
 public:
  bool empty() const { return bytes_.empty() && shared_.empty(); }
  std::size_t size() const { return bytes_.size() + shared_bytes_; }
  Buffer& bytes() { return bytes_; }
  // The parts go out after what was appended so far. The pieces must not be empty in total.
  void append(SharedParts parts);
  void clear();
  void swap(OutBuffer& other) noexcept;

  // Calls visit(OutPiece) for each piece in order, skipping the first `skip` bytes, until it gives
  // false.
  template <class Visit>
  void each_from(std::size_t skip, Visit&& visit) const {
    const auto piece = [&](OutPiece whole) {
      const std::size_t over = std::min(skip, whole.size);
      skip -= over;
      if (whole.size == over) return true;
      if (whole.data != nullptr) whole.data += over;
      whole.in.offset += static_cast<std::int64_t>(over);
      whole.size -= over;
      return visit(whole);
    };
    std::size_t done = 0;
    for (const Insert& insert : shared_) {
      if (!piece({bytes_.data() + done, insert.at - done, {}})) return;
      done = insert.at;
      auto file = insert.parts.files().begin();
      for (const muster_bytes& part : insert.parts.parts()) {
        const InFile in = part.data == nullptr && part.size != 0 ? *file++ : InFile{};
        if (!piece({part.data, part.size, in})) return;
      }
    }
    piece({bytes_.data() + done, bytes_.size() - done, {}});
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
