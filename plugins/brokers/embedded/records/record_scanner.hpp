// Walks the records of one batch without keeping them: checks their structure and tells what the
// broker wants to know of each. One thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>

#include <muster/protocol/types.hpp>

#include "codec.hpp"

namespace muster::embedded {

struct ScannedRecord {
  std::int32_t offset_delta = 0;
  std::int64_t timestamp = 0;
  std::int32_t key_size = -1;  // -1: null
  std::int32_t value_size = -1;
};

enum class RecordFault {
  structure,  // the records are not what the format or the batch header says
  stream,     // they cannot be decompressed
  bomb,       // they unpack to more than anybody sends
};

struct ScannedBatch {
  std::uint8_t codec = 0;
  protocol::Bytes records;
  std::int32_t record_count = 0;
  std::int64_t base_timestamp = 0;
  std::optional<std::int64_t> append_time;  // of all records, where the broker set it
  std::int64_t max_record_size = 0;         // of a compressed record's body
};

class RecordScanner {
 public:
  explicit RecordScanner(const ScannedBatch& batch);

  // The next record; nothing after the last, which is also where the batch must end.
  std::expected<std::optional<ScannedRecord>, RecordFault> next();

 private:
  ScannedRecord read_record();
  void read_headers();
  bool refill();
  void fail(RecordFault fault);
  bool at_end();

  // Within the record whose size was read last, so that no field reaches into the next one.
  std::uint8_t read_byte();
  std::int64_t read_varlong();
  std::int32_t read_varint();
  std::uint64_t read_unsigned(int max_bytes);
  void skip(std::int64_t count);
  void skip_field(std::int32_t size);

  ScannedBatch batch_;
  std::unique_ptr<ByteSource> source_;
  const std::uint8_t* at_ = nullptr;
  const std::uint8_t* end_ = nullptr;
  std::uint64_t unpacked_ = 0;
  std::int64_t left_ = 0;  // of the current record
  std::int32_t seen_ = 0;
  std::optional<RecordFault> fault_;
};

}  // namespace muster::embedded
