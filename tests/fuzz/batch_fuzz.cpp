// libFuzzer target: what the embedded broker makes of a produced batch. Length, magic and checksum
// are put right, so that the bytes reach what is behind them: counts, streams, records.
#include <muster/protocol/crc32c.hpp>

#include <cstdlib>

#include "records/batch_check.hpp"

namespace {

using namespace muster::embedded;
using muster::protocol::Buffer;
using muster::protocol::Bytes;

void put_int32(Buffer& bytes, std::size_t offset, std::uint32_t value) {
  for (std::size_t i = 0; i < 4; ++i) {
    bytes[offset + i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
  }
}

Buffer to_batch(Bytes input) {
  Buffer bytes(input.begin(), input.end());
  put_int32(bytes, 0, 0);
  put_int32(bytes, 4, 0);
  put_int32(bytes, 8, static_cast<std::uint32_t>(bytes.size() - 12));
  bytes[16] = muster::protocol::batch_magic;
  put_int32(bytes, 17, muster::protocol::crc32c(Bytes(bytes).subspan(21)));
  return bytes;
}

TopicConfig make_config(ConfigOverrides overrides) {
  auto config = TopicConfig::make(std::move(overrides), {});
  if (!config) std::abort();
  return *std::move(config);
}

void try_batch(const Buffer& bytes, const TopicConfig& config) {
  const CheckContext context{config, "t", 0, 1'700'000'000'000};
  const auto batch = produced_batch(bytes, 12);
  if (!batch) return;
  const auto checked = check_batch(*batch, context);
  if (!checked) return;
  const auto stored = checked->view();
  if (!stored.validate() || !stored.has_consecutive_offsets()) std::abort();
  // Where nothing changed but the header's sums, what was stored would be let in again.
  const bool same_times = batch->timestamp_type() == stored.timestamp_type();
  if (same_times && !check_batch(stored, context)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const TopicConfig plain = make_config({});
  static const TopicConfig strict =
      make_config({{"cleanup.policy", "compact"}, {"message.timestamp.type", "LogAppendTime"}});
  if (size < muster::protocol::batch_header_size) return 0;
  const Buffer bytes = to_batch(Bytes(data, size));
  try_batch(bytes, plain);
  try_batch(bytes, strict);
  return 0;
}
