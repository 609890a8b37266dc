// Records of coordinator state: one to read, and the sink that takes live ones. Views: good until
// the slot returns, on its thread.
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>
#include <optional>

#include <muster/sdk/types.hpp>

namespace muster::sdk {

class RecordSink {
 public:
  explicit RecordSink(const muster_record_sink* table)
      : table_(table), record_(offered(table, &muster_record_sink::record)) {}

  void record(std::uint64_t sequence, Bytes key, Bytes value) {
    record_(table_->self, sequence, to_bytes(key), to_bytes(value));
  }

 private:
  const muster_record_sink* table_;
  void (*record_)(void*, std::uint64_t, muster_bytes, muster_bytes);
};

struct Record {
  Bytes key;
  std::optional<Bytes> value;  // nothing = tombstone
};

constexpr Record to_record(muster_record record) {
  return {to_span(record.key), to_nullable_span(record.value)};
}

using Records = Array<muster_record, Record, to_record>;

}  // namespace muster::sdk
