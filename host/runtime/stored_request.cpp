#include "runtime/stored_request.hpp"

#include <cstring>

namespace muster::host {

StoredRequest::StoredRequest(const muster_request& source) : request_(source) {
  muster_str* const strings[] = {&request_.principal, &request_.client_id, &request_.client_host,
                                 &request_.listener,  &request_.key,       &request_.owner};
  size_ = source.body.size;
  for (const muster_str* text : strings) size_ += text->size;
  memory_ = std::make_unique_for_overwrite<std::uint8_t[]>(size_ + 1);

  // Null must stay null, so only what has bytes (or is empty, not null) points into the copy.
  std::uint8_t* at = memory_.get();
  const auto copy = [&at](const void* data, std::size_t size) {
    std::uint8_t* const start = at;
    if (size != 0) std::memcpy(start, data, size);
    at += size;
    return start;
  };
  if (source.body.data != nullptr) {
    request_.body.data = copy(source.body.data, source.body.size);
  }
  for (muster_str* text : strings) {
    if (text->data != nullptr) {
      text->data = reinterpret_cast<const char*>(copy(text->data, text->size));
    }
  }
}

}  // namespace muster::host
