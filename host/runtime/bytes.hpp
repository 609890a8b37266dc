// Bytes and strings on the host's side of the border, and the way over it. [pure]
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <muster/abi/types.h>

namespace muster::host {

using Bytes = std::span<const std::uint8_t>;
using Buffer = std::vector<std::uint8_t>;

inline muster_bytes to_abi(Bytes bytes) { return {bytes.data(), bytes.size()}; }
inline muster_str to_abi(std::string_view text) { return {text.data(), text.size()}; }
inline Bytes from_abi(muster_bytes bytes) { return {bytes.data, bytes.size}; }
inline std::string_view from_abi(muster_str text) { return {text.data, text.size}; }

// A sentence that a plugin left in its error sink.
class ErrorText {
 public:
  ErrorText() : sink_{sizeof(muster_error_sink), this, &ErrorText::write} {}
  ErrorText(const ErrorText&) = delete;
  ErrorText& operator=(const ErrorText&) = delete;

  const muster_error_sink* sink() const { return &sink_; }
  const std::string& text() const { return text_; }

 private:
  static void write(void* self, muster_str message) {
    static_cast<ErrorText*>(self)->text_.assign(from_abi(message));
  }

  muster_error_sink sink_;
  std::string text_;
};

// Collects what a plugin writes into a bytes sink.
class BytesCollector {
 public:
  BytesCollector() : sink_{sizeof(muster_bytes_sink), this, &BytesCollector::write} {}
  BytesCollector(const BytesCollector&) = delete;
  BytesCollector& operator=(const BytesCollector&) = delete;

  const muster_bytes_sink* sink() const { return &sink_; }
  Buffer& buffer() { return buffer_; }
  std::string text() const { return {buffer_.begin(), buffer_.end()}; }

 private:
  static void write(void* self, muster_bytes bytes) {
    auto& buffer = static_cast<BytesCollector*>(self)->buffer_;
    buffer.insert(buffer.end(), bytes.data, bytes.data + bytes.size);
  }

  muster_bytes_sink sink_;
  Buffer buffer_;
};

}  // namespace muster::host
