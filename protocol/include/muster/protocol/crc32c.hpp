// CRC-32C (Castagnoli), as record batches carry it. Owner: protocol. Any thread.
#pragma once

#include <muster/protocol/types.hpp>

namespace muster::protocol {

// `seed` is the result for what came before, so that crc32c(b, crc32c(a)) == crc32c(a + b).
std::uint32_t crc32c(Bytes bytes, std::uint32_t seed = 0);

// The portable way, whatever the processor offers; for tests.
std::uint32_t crc32c_by_table(Bytes bytes, std::uint32_t seed = 0);

}  // namespace muster::protocol
