// libFuzzer target: what is read of files that may be damaged: RocksDB's write-ahead log, and the
// values of the store and of the durable log. The first byte chooses the parser.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include <muster/protocol/crc32c.hpp>
#include <muster/protocol/types.hpp>

#include "keys.hpp"
#include "log/index_entry.hpp"
#include "log/producer_snapshot.hpp"
#include "log/rocks_keys.hpp"
#include "wal_scan.hpp"

namespace {

using muster::protocol::Bytes;
using muster::rocks_store::WalState;

// Bytes behind whatever a log ends in are damage at most where there was none.
void scan(Bytes log) {
  const auto whole = muster::rocks_store::scan_wal(log);
  if (!whole.has_writes && whole.state == WalState::lost) std::abort();
  if (whole.state != WalState::lost) return;
  const auto half = muster::rocks_store::scan_wal(log.first(log.size() / 2));
  if (half.has_writes && !whole.has_writes) std::abort();
}

// What can be read is written as it was.
template <class Value>
void same(const Value& value, std::string_view text) {
  if (value && muster::embedded::to_value(*value) != text) std::abort();
}

// The last four bytes become the checksum of those before them.
void put_checksum_right(std::span<std::uint8_t> bytes) {
  const std::uint32_t sum = muster::protocol::crc32c(Bytes(bytes).first(bytes.size() - 4));
  for (std::size_t i = 0; i < 4; ++i) {
    bytes[bytes.size() - 4 + i] = static_cast<std::uint8_t>(sum >> (24 - 8 * i));
  }
}

void index(Bytes text) {
  muster::embedded::IndexBytes bytes{};
  std::copy_n(text.begin(), std::min(text.size(), bytes.size()), bytes.begin());
  put_checksum_right(bytes);
  const auto entry = muster::embedded::index_entry(bytes);
  if (entry && muster::embedded::index_entry(to_bytes(*entry)) != entry) std::abort();
}

void producers(Bytes text) {
  if (muster::embedded::producer_snapshot(text) && text.size() < 4) std::abort();
  muster::protocol::Buffer bytes(text.begin(), text.end());
  bytes.resize(bytes.size() + 4);
  put_checksum_right(bytes);
  const auto known = muster::embedded::producer_snapshot(bytes);
  if (known && muster::embedded::to_bytes(*known) != bytes) std::abort();
}

void stored(std::string_view text) {
  index(muster::protocol::as_bytes(text));
  producers(muster::protocol::as_bytes(text));
  same(muster::embedded::bounds_value(text), text);
  same(muster::embedded::number_value(text), text);
  if (const auto space = muster::rocks_store::read_space(text)) {
    if (muster::rocks_store::space_value(*space) != text) std::abort();
  }
  if (const auto sequence = muster::rocks_store::read_sequence(text)) {
    const auto written = muster::rocks_store::sequence_text(*sequence);
    if (!text.starts_with(std::string_view(written.data(), written.size()))) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Bytes bytes(data + 1, size - 1);
  if (data[0] == 0) {
    scan(bytes);
  } else {
    stored(muster::protocol::as_text(bytes));
  }
  return 0;
}
