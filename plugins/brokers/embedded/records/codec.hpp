// Decompression of record batches: the one place that knows zlib, snappy, lz4 and zstd. Streams,
// so that memory does not grow with what a batch unpacks to. One thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>

#include <muster/protocol/types.hpp>

namespace muster::embedded {

// By Kafka's numbers, as in the attributes of a batch.
enum class Codec : std::uint8_t { none = 0, gzip = 1, snappy = 2, lz4 = 3, zstd = 4 };

// What so many compressed bytes may unpack to. A bomb ends here; what people send is far below,
// with the default limit of a batch and with larger ones.
constexpr std::size_t max_unpacked_size(std::size_t compressed) {
  return std::max(std::size_t{256} << 20, 32 * compressed);
}

struct CorruptStream {};

// Hands out decompressed bytes piece by piece; a piece lives until the next call.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Empty at the end.
  virtual std::expected<protocol::Bytes, CorruptStream> next() = 0;
};

// `compressed` must outlive the source. Null for a codec that Kafka does not have.
std::unique_ptr<ByteSource> open_stream(std::uint8_t codec, protocol::Bytes compressed);

}  // namespace muster::embedded
