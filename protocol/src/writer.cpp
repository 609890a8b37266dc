// How a Writer's buffer grows. Owner: protocol.
#include <muster/protocol/writer.hpp>

#include <algorithm>

namespace muster::protocol {

void Writer::grow(std::size_t size) {
  // A bounded step: resize() clears what it adds, and most of it is cut off again.
  constexpr std::size_t largest_step = 4096;
  const std::size_t used = position();
  out_.resize(used + std::max(size, std::min(used / 2 + 64, largest_step)));
  cursor_ = out_.data() + used;
  end_ = out_.data() + out_.size();
}

}  // namespace muster::protocol
