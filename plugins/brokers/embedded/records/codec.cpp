// See codec.hpp. What each format's reader accepts follows Kafka's own readers.
#include "codec.hpp"

#include <lz4frame.h>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace muster::embedded {
namespace {

using protocol::Bytes;
using Piece = std::expected<Bytes, CorruptStream>;

constexpr std::size_t piece_size = 64 * 1024;

Piece corrupt() { return std::unexpected(CorruptStream{}); }

class PlainSource final : public ByteSource {
 public:
  explicit PlainSource(Bytes bytes) : rest_(bytes) {}
  Piece next() override { return std::exchange(rest_, Bytes{}); }

 private:
  Bytes rest_;
};

// RFC 1952, with as many members as there are.
class GzipSource final : public ByteSource {
 public:
  explicit GzipSource(Bytes bytes) {
    constexpr int gzip_only = 16;
    broken_ = inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK;
    stream_.next_in = const_cast<Bytef*>(bytes.data());
    stream_.avail_in = static_cast<uInt>(bytes.size());
  }
  ~GzipSource() override { inflateEnd(&stream_); }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  Piece next() override {
    if (broken_) return corrupt();
    stream_.next_out = out_.data();
    stream_.avail_out = static_cast<uInt>(out_.size());
    while (stream_.avail_out > 0 && !ended_) {
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result == Z_STREAM_END) {
        ended_ = !member_follows() || inflateReset(&stream_) != Z_OK;
      } else if (result != Z_OK) {
        return corrupt();
      }
    }
    return Bytes{out_.data(), out_.size() - stream_.avail_out};
  }

 private:
  // What follows the last member and is none is not looked at.
  bool member_follows() const {
    return stream_.avail_in >= 2 && stream_.next_in[0] == 0x1F && stream_.next_in[1] == 0x8B;
  }

  z_stream stream_{};
  bool broken_ = false;
  bool ended_ = false;
  std::array<Bytef, piece_size> out_;
};

// Java's clients write a stream of blocks with a header, all others one raw block.
class SnappySource final : public ByteSource {
 public:
  explicit SnappySource(Bytes bytes) : rest_(bytes) {
    framed_ = starts_stream();
  }

  Piece next() override {
    // Blocks may be empty, and so would end the stream before its end: the next one is tried.
    while (!rest_.empty()) {
      if (!framed_) return unpack(std::exchange(rest_, Bytes{}));
      if (starts_stream()) {
        rest_ = rest_.subspan(header_size);
        continue;
      }
      if (rest_.size() < 4) return corrupt();
      const std::size_t size = std::size_t{rest_[0]} << 24 | std::size_t{rest_[1]} << 16 |
                               std::size_t{rest_[2]} << 8 | std::size_t{rest_[3]};
      if (size > rest_.size() - 4) return corrupt();
      const Bytes block = rest_.subspan(4, size);
      rest_ = rest_.subspan(4 + size);
      if (Piece piece = unpack(block); !piece || !piece->empty()) return piece;
    }
    return Bytes{};
  }

 private:
  static constexpr std::array<std::uint8_t, 8> magic = {0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};
  static constexpr std::size_t header_size = 16;
  // Three bytes of a block make 64 at most: a block that claims more lies.
  static constexpr std::size_t max_ratio = 22;

  bool starts_stream() const {
    return rest_.size() >= header_size &&
           std::memcmp(rest_.data(), magic.data(), magic.size()) == 0;
  }

  Piece unpack(Bytes block) {
    const auto* raw = reinterpret_cast<const char*>(block.data());
    std::size_t size = 0;
    if (!snappy::GetUncompressedLength(raw, block.size(), &size)) return corrupt();
    if (size / max_ratio > block.size() || size > max_unpacked_size(block.size())) return corrupt();
    out_.resize(size);
    if (!snappy::RawUncompress(raw, block.size(), reinterpret_cast<char*>(out_.data()))) {
      return corrupt();
    }
    return Bytes{out_.data(), out_.size()};
  }

  Bytes rest_;
  bool framed_ = false;
  protocol::Buffer out_;
};

// One LZ4 frame of independent blocks; what follows it is not looked at.
class Lz4Source final : public ByteSource {
 public:
  explicit Lz4Source(Bytes bytes) : rest_(bytes) {
    constexpr std::uint8_t independent_blocks = 0x20;
    const bool independent = rest_.size() > 4 && (rest_[4] & independent_blocks) != 0;
    const auto made = LZ4F_createDecompressionContext(&context_, LZ4F_VERSION);
    broken_ = !independent || LZ4F_isError(made);
  }
  ~Lz4Source() override { LZ4F_freeDecompressionContext(context_); }
  Lz4Source(const Lz4Source&) = delete;
  Lz4Source& operator=(const Lz4Source&) = delete;

  Piece next() override {
    if (broken_) return corrupt();
    while (!ended_) {
      std::size_t made = out_.size();
      std::size_t used = rest_.size();
      const std::size_t hint =
          LZ4F_decompress(context_, out_.data(), &made, rest_.data(), &used, nullptr);
      if (LZ4F_isError(hint)) return corrupt();
      rest_ = rest_.subspan(used);
      ended_ = hint == 0;
      if (made > 0) return Bytes{out_.data(), made};
      if (!ended_ && used == 0) return corrupt();
    }
    return Bytes{};
  }

 private:
  Bytes rest_;
  LZ4F_dctx* context_ = nullptr;
  bool broken_ = false;
  bool ended_ = false;
  std::array<std::uint8_t, piece_size> out_;
};

class ZstdSource final : public ByteSource {
 public:
  explicit ZstdSource(Bytes bytes) : in_{bytes.data(), bytes.size(), 0} {}

  Piece next() override {
    ZSTD_outBuffer out{out_.data(), out_.size(), 0};
    while (out.pos == 0 && (in_.pos < in_.size || hint_ != 0)) {
      const std::size_t used_before = in_.pos;
      hint_ = ZSTD_decompressStream(context_.get(), &out, &in_);
      if (ZSTD_isError(hint_)) return corrupt();
      if (out.pos == 0 && in_.pos == used_before) break;
    }
    if (out.pos == 0 && hint_ != 0) return corrupt();
    return Bytes{out_.data(), out.pos};
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };

  std::unique_ptr<ZSTD_DCtx, Free> context_{ZSTD_createDCtx()};
  ZSTD_inBuffer in_;
  std::size_t hint_ = 0;
  std::array<std::uint8_t, piece_size> out_;
};

}  // namespace

std::unique_ptr<ByteSource> open_stream(std::uint8_t codec, Bytes compressed) {
  switch (static_cast<Codec>(codec)) {
    case Codec::none: return std::make_unique<PlainSource>(compressed);
    case Codec::gzip: return std::make_unique<GzipSource>(compressed);
    case Codec::snappy: return std::make_unique<SnappySource>(compressed);
    case Codec::lz4: return std::make_unique<Lz4Source>(compressed);
    case Codec::zstd: return std::make_unique<ZstdSource>(compressed);
  }
  return nullptr;
}

}  // namespace muster::embedded
