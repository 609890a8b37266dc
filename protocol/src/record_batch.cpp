// Record batches: checks and what is changed in place. Owner: protocol.
#include <muster/protocol/crc32c.hpp>
#include <muster/protocol/record_batch.hpp>

namespace muster::protocol {
namespace {

constexpr std::size_t size_and_magic = 17;
constexpr std::size_t crc_start = 21;
constexpr std::size_t before_length_counts = 12;

template <class Unsigned>
void put(std::span<std::uint8_t> batch, std::size_t offset, Unsigned value) {
  if constexpr (std::endian::native == std::endian::little) value = std::byteswap(value);
  std::memcpy(batch.data() + offset, &value, sizeof value);
}

}  // namespace

std::string_view name(BatchFault fault) {
  switch (fault) {
    case BatchFault::truncated: return "truncated batch";
    case BatchFault::too_small: return "batch smaller than its header";
    case BatchFault::unknown_magic: return "unknown batch magic";
    case BatchFault::wrong_crc: return "wrong batch checksum";
    case BatchFault::wrong_count: return "wrong record count";
  }
  return "unknown fault";
}

std::expected<RecordBatchView, BatchFault> RecordBatchView::first(Bytes bytes) {
  if (bytes.size() < size_and_magic) return std::unexpected(BatchFault::truncated);
  const RecordBatchView head(bytes);
  // Batches of older formats are told from the same place, and may be shorter than our header.
  if (head.magic() != batch_magic) return std::unexpected(BatchFault::unknown_magic);
  const std::int32_t length = head.batch_length();
  if (length < static_cast<std::int32_t>(batch_header_size - before_length_counts)) {
    return std::unexpected(BatchFault::too_small);
  }
  const std::size_t total = before_length_counts + static_cast<std::size_t>(length);
  if (bytes.size() < total) return std::unexpected(BatchFault::truncated);
  return RecordBatchView(bytes.first(total));
}

std::expected<void, BatchFault> RecordBatchView::validate() const {
  if (crc32c(bytes_.subspan(crc_start)) != crc()) return std::unexpected(BatchFault::wrong_crc);
  if (record_count() < 0 || last_offset_delta() < 0) {
    return std::unexpected(BatchFault::wrong_count);
  }
  return {};
}

std::int32_t RecordBatchView::last_sequence() const {
  const std::int32_t base = base_sequence();
  if (base < 0) return base;
  constexpr std::int64_t sequences = std::int64_t{1} << 31;
  return static_cast<std::int32_t>((std::int64_t{base} + last_offset_delta()) % sequences);
}

void stamp(std::span<std::uint8_t> batch, std::int64_t base_offset, std::int32_t leader_epoch) {
  put(batch, 0, static_cast<std::uint64_t>(base_offset));
  put(batch, 12, static_cast<std::uint32_t>(leader_epoch));
}

void set_log_append_time(std::span<std::uint8_t> batch, std::int64_t timestamp) {
  constexpr std::uint8_t log_append_time = 0x08;
  batch[22] = static_cast<std::uint8_t>(batch[22] | log_append_time);
  put(batch, 35, static_cast<std::uint64_t>(timestamp));
  put(batch, 17, crc32c(Bytes(batch.subspan(crc_start))));
}

}  // namespace muster::protocol
