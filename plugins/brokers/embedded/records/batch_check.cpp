// See batch_check.hpp.
#include "batch_check.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include <muster/protocol/crc32c.hpp>
#include <muster/sdk/text.hpp>

#include "record_scanner.hpp"

namespace muster::embedded {
namespace {

using protocol::BatchFault;
using protocol::Error;
using protocol::RecordBatchView;

constexpr std::size_t size_field_end = 12;
constexpr std::size_t smallest_old_batch = 14;
constexpr std::size_t size_and_magic = 17;

// What Kafka's iterator makes of the start of these bytes: a batch, nothing whole (then nobody
// misses it), or a size or magic that cannot be.
enum class Start { batch, nothing, corrupt };

Start start_of(protocol::Bytes bytes) {
  if (bytes.size() < size_field_end) return Start::nothing;
  protocol::Reader in(bytes);
  in.read_int64();
  const std::int32_t length = in.read_int32();
  if (length < static_cast<std::int32_t>(smallest_old_batch)) return Start::corrupt;
  if (bytes.size() < size_and_magic) return Start::nothing;
  if (bytes[16] > static_cast<std::uint8_t>(protocol::batch_magic)) return Start::corrupt;
  return bytes.size() - size_field_end < static_cast<std::size_t>(length) ? Start::nothing
                                                                          : Start::batch;
}

std::unexpected<Refusal> refuse(Error error) { return std::unexpected(Refusal{error}); }

std::optional<Error> header_fault(const RecordBatchView& batch, const TopicConfig& config) {
  if (batch.base_offset() != 0) return Error::invalid_record;
  if (static_cast<std::int64_t>(batch.size()) > config.max_message_bytes) {
    return Error::message_too_large;
  }
  const auto valid = batch.validate();
  if (!valid && valid.error() == BatchFault::wrong_crc) return Error::corrupt_message;
  if (!batch.has_consecutive_offsets() || batch.is_control()) return Error::invalid_record;
  if (batch.has_producer_id() && batch.base_sequence() < 0) return Error::invalid_record;
  if (static_cast<std::int64_t>(batch.size()) > config.segment_bytes) {
    return Error::record_list_too_large;
  }
  return std::nullopt;
}

Error error_of(RecordFault fault) {
  switch (fault) {
    case RecordFault::structure:
    case RecordFault::bomb: return Error::invalid_record;
    case RecordFault::stream: break;  // as Kafka has it
  }
  return Error::unknown_server_error;
}

ScannedBatch to_scan(const RecordBatchView& batch, const TopicConfig& config) {
  ScannedBatch scan;
  scan.codec = static_cast<std::uint8_t>(batch.compression());
  scan.records = batch.records();
  scan.record_count = batch.record_count();
  scan.base_timestamp = batch.base_timestamp();
  if (batch.timestamp_type() == protocol::TimestampType::log_append_time) {
    scan.append_time = batch.max_timestamp();
  }
  scan.max_record_size = config.max_decompressed_message_bytes;
  return scan;
}

// Judges record after record, as LogValidator does.
class RecordJudge {
 public:
  RecordJudge(const RecordBatchView& batch, const CheckContext& context)
      : context_(context),
        marked_append_time_(batch.timestamp_type() == protocol::TimestampType::log_append_time),
        compressed_(batch.compression() != protocol::Compression::none) {}

  // False where the offset is not the next one.
  bool see(const ScannedRecord& record) {
    if (record.offset_delta != index_) return false;
    if (context_.config.compacted && record.key_size < 0) {
      add("Compacted topic cannot accept message without key in topic partition ", context_.topic,
          "-", context_.partition);
    } else {
      judge_timestamp(record);
    }
    max_timestamp_ = std::max(max_timestamp_, record.timestamp);
    ++index_;
    return true;
  }

  std::int64_t max_timestamp() const { return max_timestamp_; }

  std::optional<Refusal> refusal() {
    if (errors_.empty()) return std::nullopt;
    if (invalid_timestamp_) {
      return Refusal{Error::invalid_timestamp,
                     "One or more records have been rejected due to invalid timestamp",
                     std::move(errors_)};
    }
    return Refusal{Error::invalid_record, summary(), std::move(errors_)};
  }

 private:
  void judge_timestamp(const ScannedRecord& record) {
    const TopicConfig& config = context_.config;
    constexpr std::int64_t none = -1;
    if (!config.log_append_time && record.timestamp != none) {
      const std::int64_t age = difference(context_.now_ms, record.timestamp);
      const std::int64_t ahead = difference(record.timestamp, context_.now_ms);
      if (age <= config.timestamp_before_max_ms && ahead <= config.timestamp_after_max_ms) return;
      invalid_timestamp_ = true;
      add("Timestamp ", record.timestamp, " of message with offset ", record.offset_delta,
          " is out of range. The timestamp should be within [",
          difference(context_.now_ms, config.timestamp_before_max_ms), ", ",
          difference(context_.now_ms, -config.timestamp_after_max_ms), "]");
    } else if (marked_append_time_) {
      invalid_timestamp_ = true;
      add("Invalid timestamp type in message ", compressed_ ? "Partial" : "",
          "DefaultRecord(offset=", record.offset_delta, ", timestamp=", record.timestamp,
          ", key=", std::max(record.key_size, 0), " bytes, value=", std::max(record.value_size, 0),
          " bytes). Producer should not set timestamp type to LogAppendTime.");
    }
  }

  // Wraps as Java's does: timestamps are the client's, limits may be the largest number.
  static std::int64_t difference(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
  }

  // A small batch may unpack to millions of bad records: the first ones are told, all are counted.
  template <class... Parts>
  void add(const Parts&... parts) {
    constexpr std::size_t most_told = 10'000;
    ++error_count_;
    if (errors_.size() < most_told) errors_.push_back({index_, sdk::text(parts...)});
  }

  std::string summary() const {
    std::string shown;
    for (std::size_t i = 0; i < errors_.size() && i < 3; ++i) {
      shown += sdk::text(i == 0 ? "" : ", ", "RecordError(batchIndex=", errors_[i].batch_index,
                         ", message='", errors_[i].message, "')");
    }
    return sdk::text("One or more records have been rejected due to ", error_count_,
                     " record errors in total, and only showing the first three errors at most: [",
                     shown, "]");
  }

  const CheckContext& context_;
  const bool marked_append_time_;
  const bool compressed_;
  std::int32_t index_ = 0;
  std::int64_t max_timestamp_ = -1;
  std::size_t error_count_ = 0;
  std::vector<RecordError> errors_;
  bool invalid_timestamp_ = false;
};

void set_create_time(std::span<std::uint8_t> batch, std::int64_t max_timestamp) {
  constexpr std::size_t crc_offset = 17;
  constexpr std::size_t covered_offset = 21;
  constexpr std::size_t attributes_low_byte = 22;
  constexpr std::size_t max_timestamp_offset = 35;
  batch[attributes_low_byte] = static_cast<std::uint8_t>(batch[attributes_low_byte] & ~0x08U);
  const auto put = [&](std::size_t offset, auto value) {
    value = std::byteswap(value);
    std::memcpy(batch.data() + offset, &value, sizeof value);
  };
  static_assert(std::endian::native == std::endian::little);
  put(max_timestamp_offset, static_cast<std::uint64_t>(max_timestamp));
  put(crc_offset, protocol::crc32c(protocol::Bytes(batch.subspan(covered_offset))));
}

CheckedBatch copy_of(const RecordBatchView& batch, const CheckContext& context,
                     std::int64_t max_timestamp) {
  CheckedBatch copy;
  copy.size = batch.size();
  copy.bytes = std::make_shared_for_overwrite<std::uint8_t[]>(copy.size);
  std::memcpy(copy.bytes.get(), batch.bytes().data(), copy.size);
  const std::span<std::uint8_t> bytes{copy.bytes.get(), copy.size};
  if (context.config.log_append_time) {
    copy.append_time_ms = context.now_ms;
    protocol::set_log_append_time(bytes, context.now_ms);
  } else if (batch.timestamp_type() != protocol::TimestampType::create_time ||
             batch.max_timestamp() != max_timestamp) {
    set_create_time(bytes, max_timestamp);
  }
  return copy;
}

}  // namespace

std::expected<RecordBatchView, Error> produced_batch(protocol::Bytes records,
                                                     std::int16_t version) {
  constexpr std::int16_t first_with_zstd = 7;
  switch (start_of(records)) {
    case Start::nothing: return std::unexpected(Error::invalid_record);
    case Start::corrupt: return std::unexpected(Error::corrupt_message);
    case Start::batch: break;
  }
  const auto batch = RecordBatchView::first(records);
  if (!batch) {
    return std::unexpected(batch.error() == BatchFault::unknown_magic ? Error::invalid_record
                                                                      : Error::corrupt_message);
  }
  if (version < first_with_zstd && batch->compression() == protocol::Compression::zstd) {
    return std::unexpected(Error::unsupported_compression_type);
  }
  switch (start_of(records.subspan(batch->size()))) {
    case Start::nothing: return *batch;
    case Start::corrupt: return std::unexpected(Error::corrupt_message);
    case Start::batch: break;
  }
  return std::unexpected(Error::invalid_record);
}

std::expected<CheckedBatch, Refusal> check_batch(const RecordBatchView& batch,
                                                 const CheckContext& context) {
  if (const auto fault = header_fault(batch, context.config)) return refuse(*fault);
  RecordJudge judge(batch, context);
  RecordScanner scanner(to_scan(batch, context.config));
  for (;;) {
    const auto record = scanner.next();
    if (!record) return refuse(error_of(record.error()));
    if (!*record) break;
    if (!judge.see(**record)) return refuse(Error::invalid_record);
  }
  if (auto refusal = judge.refusal()) return std::unexpected(*std::move(refusal));
  return copy_of(batch, context, judge.max_timestamp());
}

}  // namespace muster::embedded
