// Batches as the Java client 4.4.0 writes them.
#pragma once

#include "vector_file.hpp"

#include <string>

namespace muster::protocol::testing {

inline constexpr std::int64_t golden_timestamp = 1700000000000;

// Key `k`, value `v`.
inline Buffer one_record() {
  return from_hex(
      "00000000000000000000003affffffff02e99b8dd80000000000000000018bcfe568000000018bcfe56800ffff"
      "ffffffffffffffffffffffff0000000110000000026b027600");
}

// The same record in a transaction: producer 7, epoch 3, sequence 11.
inline Buffer transactional_record() {
  return from_hex(
      "00000000000000000000003affffffff02357d18d30010000000000000018bcfe568000000018bcfe568000000"
      "00000000000700030000000b0000000110000000026b027600");
}

// Offset 100, producer 7, epoch 3, coordinator epoch 9.
inline Buffer commit_marker() {
  return from_hex(
      "0000000000000064000000420000000002159354790030000000000000018bcfe568000000018bcfe568000000"
      "0000000000070003ffffffff000000012000000008000000010c00000000000900");
}

// The block of two records; the second with a null key, 40 x `v`, header `h` without a value, 5 ms
// later.
inline Buffer two_record_block() {
  std::string value;
  for (int i = 0; i < 40; ++i) value += "76";
  return from_hex("10000000026b02760062000a020150" + value + "02026801");
}

}  // namespace muster::protocol::testing
