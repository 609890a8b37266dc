// Record batches of magic 2: look at them, stamp them, take them apart, build them. Compression is
// the caller's: a compressed block is an opaque string here. Owner: protocol. Free of state.
#pragma once

#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>

#include <expected>
#include <iterator>

namespace muster::protocol {

inline constexpr std::size_t batch_header_size = 61;
inline constexpr std::int8_t batch_magic = 2;

enum class Compression : std::uint8_t { none, gzip, snappy, lz4, zstd };  // 5 to 7 are free
enum class TimestampType : std::uint8_t { create_time, log_append_time };
enum class ControlType : std::int16_t { abort = 0, commit = 1 };

enum class BatchFault : std::uint8_t {
  truncated,      // fewer bytes than the batch claims, or than its size and magic need
  too_small,      // it claims fewer bytes than a header has
  unknown_magic,  // a format of before Kafka 0.11, or none
  wrong_crc,
  wrong_count,  // a negative count, or a negative last offset delta
};
std::string_view name(BatchFault fault);

struct RecordHeader {
  std::string_view key;
  std::optional<Bytes> value{};

  friend bool operator==(const RecordHeader&, const RecordHeader&) = default;
};

// One record of an uncompressed block; views into it.
struct Record {
  std::int8_t attributes = 0;
  std::int64_t timestamp_delta = 0;
  std::int32_t offset_delta = 0;
  std::optional<Bytes> key{};
  std::optional<Bytes> value{};
  std::vector<RecordHeader> headers{};

  friend bool operator==(const Record&, const Record&) = default;
};

// One whole batch. Every accessor is safe on any view that first() gave.
class RecordBatchView {
 public:
  // The batch at the start of `bytes`; what follows it is not looked at.
  static std::expected<RecordBatchView, BatchFault> first(Bytes bytes);

  // Checksum and counts: what first() leaves out because it costs.
  [[nodiscard]] std::expected<void, BatchFault> validate() const;

  // Holds for what producers send; compaction keeps last_offset_delta and takes records away.
  [[nodiscard]] bool has_consecutive_offsets() const {
    return record_count() > 0 && last_offset_delta() == record_count() - 1;
  }

  [[nodiscard]] Bytes bytes() const { return bytes_; }
  [[nodiscard]] std::size_t size() const { return bytes_.size(); }
  // The block behind the header, as compressed as compression() says.
  [[nodiscard]] Bytes records() const { return bytes_.subspan(batch_header_size); }

  [[nodiscard]] std::int64_t base_offset() const { return at<std::int64_t>(0); }
  [[nodiscard]] std::int32_t batch_length() const { return at<std::int32_t>(8); }
  [[nodiscard]] std::int32_t partition_leader_epoch() const { return at<std::int32_t>(12); }
  [[nodiscard]] std::int8_t magic() const { return at<std::int8_t>(16); }
  [[nodiscard]] std::uint32_t crc() const { return at<std::uint32_t>(17); }
  [[nodiscard]] std::int16_t attributes() const { return at<std::int16_t>(21); }
  [[nodiscard]] std::int32_t last_offset_delta() const { return at<std::int32_t>(23); }
  [[nodiscard]] std::int64_t base_timestamp() const { return at<std::int64_t>(27); }
  [[nodiscard]] std::int64_t max_timestamp() const { return at<std::int64_t>(35); }
  [[nodiscard]] std::int64_t producer_id() const { return at<std::int64_t>(43); }
  [[nodiscard]] std::int16_t producer_epoch() const { return at<std::int16_t>(51); }
  [[nodiscard]] std::int32_t base_sequence() const { return at<std::int32_t>(53); }
  [[nodiscard]] std::int32_t record_count() const { return at<std::int32_t>(57); }

  [[nodiscard]] std::int64_t last_offset() const { return sum(base_offset(), last_offset_delta()); }
  [[nodiscard]] std::int64_t next_offset() const { return sum(last_offset(), 1); }
  // Sequences wrap to 0 after the largest int32.
  [[nodiscard]] std::int32_t last_sequence() const;
  [[nodiscard]] Compression compression() const {
    return static_cast<Compression>(attributes() & 0x07);
  }
  [[nodiscard]] TimestampType timestamp_type() const {
    return static_cast<TimestampType>(attributes() >> 3 & 1);
  }
  [[nodiscard]] bool is_transactional() const { return (attributes() & 0x10) != 0; }
  [[nodiscard]] bool is_control() const { return (attributes() & 0x20) != 0; }
  [[nodiscard]] bool has_delete_horizon() const { return (attributes() & 0x40) != 0; }
  [[nodiscard]] bool has_producer_id() const { return producer_id() >= 0; }

  [[nodiscard]] std::int64_t offset_of(const Record& record) const {
    return sum(base_offset(), record.offset_delta);
  }
  [[nodiscard]] std::int64_t timestamp_of(const Record& record) const {
    return timestamp_type() == TimestampType::log_append_time
               ? max_timestamp()
               : sum(base_timestamp(), record.timestamp_delta);
  }

 private:
  explicit RecordBatchView(Bytes bytes) : bytes_(bytes) {}

  // Wraps: what is added comes from the wire.
  static std::int64_t sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  }

  template <class Integer>
  [[nodiscard]] Integer at(std::size_t offset) const {
    std::make_unsigned_t<Integer> value;
    std::memcpy(&value, bytes_.data() + offset, sizeof value);
    if constexpr (std::endian::native == std::endian::little) value = std::byteswap(value);
    return static_cast<Integer>(value);
  }

  Bytes bytes_;
};

// The whole batches at the start of a byte string, for range-for; ends at the first that is cut off
// or no batch. rest() of the iterator is what was not looked at.
class Batches {
 public:
  class Iterator {
   public:
    using value_type = RecordBatchView;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(Bytes rest) : rest_(rest), batch_(RecordBatchView::first(rest)) {}
    const RecordBatchView& operator*() const { return *batch_; }
    const RecordBatchView* operator->() const { return &*batch_; }
    Iterator& operator++() { return *this = Iterator(rest_.subspan(batch_->size())); }
    void operator++(int) { ++*this; }
    [[nodiscard]] Bytes rest() const { return rest_; }
    friend bool operator==(const Iterator& it, std::default_sentinel_t) {
      return !it.batch_.has_value();
    }

   private:
    Bytes rest_;
    std::expected<RecordBatchView, BatchFault> batch_;
  };

  explicit Batches(Bytes bytes) : bytes_(bytes) {}
  [[nodiscard]] Iterator begin() const { return Iterator(bytes_); }
  [[nodiscard]] static std::default_sentinel_t end() { return std::default_sentinel; }

 private:
  Bytes bytes_;
};

// Both on one whole batch that first() accepted, in place. Stamping leaves the checksum valid; the
// other computes it anew.
void stamp(std::span<std::uint8_t> batch, std::int64_t base_offset, std::int32_t leader_epoch);
void set_log_append_time(std::span<std::uint8_t> batch, std::int64_t timestamp);

// Takes an uncompressed block apart. next() fills the same record again and again; it returns false
// at the end and at the first fault, which ok() tells apart.
class RecordReader {
 public:
  RecordReader(Bytes block, std::int32_t count) : in_(block), left_(count) {}

  bool next(Record& record);
  [[nodiscard]] bool ok() const { return in_.ok(); }
  [[nodiscard]] std::string_view error() const { return in_.error(); }

 private:
  void read_body(Record& record);

  Reader in_;
  std::int32_t left_;
};

// The type of a control record, from its key. Types that are neither abort nor commit come back as
// they are; nullopt is a key that is none.
std::optional<ControlType> control_type(Bytes key);

struct BatchOptions {
  std::int64_t base_offset = 0;
  std::int32_t partition_leader_epoch = -1;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int32_t base_sequence = -1;
  bool transactional = false;
  bool control = false;
};

struct NewRecord {
  std::int64_t timestamp = -1;
  std::optional<Bytes> key{};
  std::optional<Bytes> value{};
  std::span<const RecordHeader> headers{};
};

class BatchBuilder {
 public:
  explicit BatchBuilder(const BatchOptions& options) : options_(options) {}

  void add(const NewRecord& record);
  [[nodiscard]] std::int32_t count() const { return count_; }
  // Of the batch if it were finished now, uncompressed.
  [[nodiscard]] std::size_t size() const { return batch_header_size + block_.size(); }
  // The block so far: what a caller compresses.
  [[nodiscard]] Bytes block() const { return block_; }

  // Each needs at least one record, and appends.
  void finish(Buffer& out) const { finish(out, Compression::none, block_); }
  void finish(Buffer& out, Compression compression, Bytes compressed_block) const;

 private:
  BatchOptions options_;
  std::int32_t count_ = 0;
  std::int64_t base_timestamp_ = -1;
  std::int64_t max_timestamp_ = -1;
  Buffer block_;
};

// The batch that ends a transaction in one partition.
struct TransactionMarker {
  ControlType type = ControlType::commit;
  std::int64_t producer_id = -1;
  std::int16_t producer_epoch = -1;
  std::int32_t coordinator_epoch = 0;
  std::int64_t timestamp = -1;
  std::int64_t base_offset = 0;
  std::int32_t partition_leader_epoch = -1;
};
void append_marker(Buffer& out, const TransactionMarker& marker);

}  // namespace muster::protocol
