#include "net/out_buffer.hpp"

namespace muster::host {
namespace {

// A burst may grow the buffer; an idle connection must not keep that.
constexpr std::size_t kept_capacity = 64u << 10;

}  // namespace

void OutBuffer::append(SharedParts parts) {
  shared_bytes_ += parts.size();
  shared_.push_back({bytes_.size(), std::move(parts)});
}

void OutBuffer::clear() {
  if (bytes_.capacity() > kept_capacity) {
    bytes_ = Buffer();  // {} would keep the capacity
  } else {
    bytes_.clear();
  }
  shared_.clear();
  shared_bytes_ = 0;
}

void OutBuffer::swap(OutBuffer& other) noexcept {
  bytes_.swap(other.bytes_);
  shared_.swap(other.shared_);
  std::swap(shared_bytes_, other.shared_bytes_);
}

}  // namespace muster::host
