// libFuzzer target: two bytes choose the message, one its version, the rest is the body. Records
// and batches are taken apart from the same bytes.
#include "probe.hpp"

#include <muster/protocol/record_batch.hpp>
#include <muster/protocol/request_header.hpp>

#include <cstdlib>

namespace {

using namespace muster::protocol;

void try_message(Bytes input, Bytes body) {
  const auto& probes = testing::all_probes();
  const std::size_t choice = static_cast<std::size_t>(input[0]) << 8 | input[1];
  const testing::Probe& probe = probes[choice % probes.size()];
  const int versions = probe.max_version - probe.min_version + 1;
  const auto version = static_cast<std::int16_t>(probe.min_version + input[2] % versions);
  if (!probe.survives(body, version)) std::abort();
}

void try_batches(Bytes body) {
  for (const RecordBatchView& batch : Batches(body)) {
    static_cast<void>(batch.validate());
    static_cast<void>(batch.next_offset());
    static_cast<void>(batch.last_sequence());
    RecordReader reader(batch.records(), batch.record_count());
    Record record;
    while (reader.next(record)) {
      static_cast<void>(batch.offset_of(record));
      static_cast<void>(batch.timestamp_of(record));
      if (record.key) static_cast<void>(control_type(*record.key));
    }
  }
  RecordReader reader(body, 1000);
  Record record;
  while (reader.next(record)) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const Bytes input(data, size);
  const Bytes body = input.subspan(3);
  try_message(input, body);
  try_batches(body);
  static_cast<void>(split_request(body, 1));
  return 0;
}
