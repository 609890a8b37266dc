// See record_scanner.hpp.
#include "record_scanner.hpp"

#include <algorithm>
#include <limits>

namespace muster::embedded {

RecordScanner::RecordScanner(const ScannedBatch& batch)
    : batch_(batch), source_(open_stream(batch.codec, batch.records)) {
  if (source_ == nullptr) fail(RecordFault::stream);
  if (batch.record_count < 0) fail(RecordFault::structure);
}

std::expected<std::optional<ScannedRecord>, RecordFault> RecordScanner::next() {
  if (fault_) return std::unexpected(*fault_);
  if (seen_ == batch_.record_count) return std::nullopt;
  const ScannedRecord record = read_record();
  ++seen_;
  if (!fault_ && seen_ == batch_.record_count && !at_end()) fail(RecordFault::structure);
  if (fault_) return std::unexpected(*fault_);
  return record;
}

ScannedRecord RecordScanner::read_record() {
  constexpr std::int64_t no_limit = std::numeric_limits<std::int64_t>::max();
  left_ = no_limit;
  const std::int32_t size = read_varint();
  const bool compressed = batch_.codec != 0;
  if (size < 0 || (compressed && size > batch_.max_record_size)) {
    fail(RecordFault::structure);
    return {};
  }
  left_ = size;
  ScannedRecord record;
  read_byte();  // attributes: unused
  // Unsigned, since a made-up delta may overflow.
  record.timestamp = static_cast<std::int64_t>(static_cast<std::uint64_t>(batch_.base_timestamp) +
                                               static_cast<std::uint64_t>(read_varlong()));
  if (batch_.append_time) record.timestamp = *batch_.append_time;
  record.offset_delta = read_varint();
  record.key_size = read_varint();
  skip_field(record.key_size);
  record.value_size = read_varint();
  skip_field(record.value_size);
  read_headers();
  if (left_ != 0) fail(RecordFault::structure);
  return record;
}

void RecordScanner::read_headers() {
  const std::int32_t count = read_varint();
  if (count < 0 || count > left_) return fail(RecordFault::structure);
  for (std::int32_t i = 0; i < count && !fault_; ++i) {
    const std::int32_t key_size = read_varint();
    if (key_size < 0) return fail(RecordFault::structure);
    skip_field(key_size);
    skip_field(read_varint());
  }
}

bool RecordScanner::refill() {
  if (fault_) return false;
  const auto piece = source_->next();
  if (!piece) return fail(RecordFault::stream), false;
  unpacked_ += piece->size();
  if (unpacked_ > max_unpacked_size(batch_.records.size())) return fail(RecordFault::bomb), false;
  at_ = piece->data();
  end_ = at_ + piece->size();
  return at_ != end_;
}

void RecordScanner::fail(RecordFault fault) {
  if (!fault_) fault_ = fault;
}

bool RecordScanner::at_end() { return at_ == end_ && !refill(); }

std::uint8_t RecordScanner::read_byte() {
  if (left_ == 0 || (at_ == end_ && !refill())) {
    fail(RecordFault::structure);
    return 0;
  }
  --left_;
  return *at_++;
}

std::uint64_t RecordScanner::read_unsigned(int max_bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < max_bytes; ++i) {
    const std::uint8_t byte = read_byte();
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << (7 * i);
    if ((byte & 0x80U) == 0) return value;
  }
  fail(RecordFault::structure);
  return 0;
}

std::int64_t RecordScanner::read_varlong() {
  const std::uint64_t raw = read_unsigned(10);
  return static_cast<std::int64_t>((raw >> 1) ^ (0U - (raw & 1U)));
}

std::int32_t RecordScanner::read_varint() {
  const auto raw = static_cast<std::uint32_t>(read_unsigned(5));
  return static_cast<std::int32_t>((raw >> 1) ^ (0U - (raw & 1U)));
}

void RecordScanner::skip_field(std::int32_t size) {
  if (size < -1) return fail(RecordFault::structure);
  if (size > 0) skip(size);
}

void RecordScanner::skip(std::int64_t count) {
  if (count > left_) return fail(RecordFault::structure);
  left_ -= count;
  while (count > 0) {
    if (at_ == end_ && !refill()) return fail(RecordFault::structure);
    const std::int64_t step = std::min<std::int64_t>(count, end_ - at_);
    at_ += step;
    count -= step;
  }
}

}  // namespace muster::embedded
