// What most tests of the broker need: topics, batches, and the usual requests in short.
#pragma once

#include <muster/protocol/messages/create_topics_request.hpp>
#include <muster/protocol/messages/create_topics_response.hpp>
#include <muster/protocol/messages/fetch_request.hpp>
#include <muster/protocol/messages/fetch_response.hpp>
#include <muster/protocol/messages/list_offsets_request.hpp>
#include <muster/protocol/messages/list_offsets_response.hpp>
#include <muster/protocol/messages/produce_request.hpp>
#include <muster/protocol/messages/produce_response.hpp>
#include <muster/protocol/record_batch.hpp>

#include <string>
#include <string_view>
#include <vector>

#include "broker_rig.hpp"
#include "log/log.hpp"

namespace muster::embedded::test {

Buffer from_hex(std::string_view hex);
// A topic's id, another one for each number.
protocol::Uuid id_of(std::uint8_t number);
// What a log gave.
Buffer bytes_of(const Stored<std::vector<StoredPiece>>& pieces);

// The time of the rig's clock when a test begins.
inline constexpr std::int64_t start_ms = 1'700'000'000'000;

struct Producer {
  std::int64_t id = -1;
  std::int16_t epoch = -1;
  std::int32_t sequence = -1;
};

// Records with key "k" and the given timestamps.
Buffer batch_at(const std::vector<std::int64_t>& timestamps, const Producer& producer = {});
Buffer batch(int records = 1, const Producer& producer = {});
// The same records, packed as `codec` (a protocol::Compression) packs them.
Buffer compressed(const Buffer& plain, protocol::Compression codec);
// After a change of the header: the checksum that belongs to it now.
void fix_crc(Buffer& batch);
template <class Integer>
void put(Buffer& batch, std::size_t offset, Integer value) {
  for (std::size_t i = 0; i < sizeof value; ++i) {
    batch[offset + i] = static_cast<std::uint8_t>(
        static_cast<std::make_unsigned_t<Integer>>(value) >> (8 * (sizeof value - 1 - i)));
  }
}

using Configs = std::vector<std::pair<std::string, std::string>>;

// Makes a topic and gives its id.
protocol::Uuid create(BrokerRig& rig, std::string_view name, std::int32_t partitions = 1,
                      const Configs& configs = {});

protocol::ProduceRequest produce_request(std::string_view topic, const Buffer& records,
                                         std::int32_t partition = 0);
using Produced = protocol::ProduceResponse::PartitionProduceResponse;
// The one partition of the answer; its texts are gone.
Produced produce(BrokerRig& rig, std::string_view topic, const Buffer& records,
                 std::int16_t version = 12);

protocol::FetchRequest fetch_request(std::string_view topic, std::int64_t offset,
                                     std::int32_t partition = 0);

protocol::ListOffsetsRequest list_request(std::string_view topic, std::int64_t timestamp);
protocol::ListOffsetsResponse::ListOffsetsPartitionResponse list_offset(BrokerRig& rig,
                                                                        std::string_view topic,
                                                                        std::int64_t timestamp,
                                                                        std::int16_t version = 11);

}  // namespace muster::embedded::test
