#include "kit.hpp"

#include <lz4frame.h>
#include <muster/protocol/crc32c.hpp>
#include <snappy.h>
#include <zlib.h>
#include <zstd.h>

#include <stdexcept>

namespace muster::embedded::test {
namespace {

Buffer gzip(Bytes plain) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY);
  Buffer out(deflateBound(&stream, plain.size()));
  stream.next_in = const_cast<Bytef*>(plain.data());
  stream.avail_in = static_cast<uInt>(plain.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Buffer raw_snappy(Bytes plain) {
  std::string out;
  snappy::Compress(reinterpret_cast<const char*>(plain.data()), plain.size(), &out);
  return Buffer(out.begin(), out.end());
}

Buffer lz4(Bytes plain) {
  LZ4F_preferences_t preferences{};
  preferences.frameInfo.blockMode = LZ4F_blockIndependent;
  Buffer out(LZ4F_compressFrameBound(plain.size(), &preferences));
  out.resize(LZ4F_compressFrame(out.data(), out.size(), plain.data(), plain.size(), &preferences));
  return out;
}

Buffer zstd(Bytes plain) {
  Buffer out(ZSTD_compressBound(plain.size()));
  out.resize(ZSTD_compress(out.data(), out.size(), plain.data(), plain.size(), 3));
  return out;
}

Buffer pack(Bytes plain, protocol::Compression codec) {
  switch (codec) {
    case protocol::Compression::none: return Buffer(plain.begin(), plain.end());
    case protocol::Compression::gzip: return gzip(plain);
    case protocol::Compression::snappy: return raw_snappy(plain);
    case protocol::Compression::lz4: return lz4(plain);
    case protocol::Compression::zstd: return zstd(plain);
  }
  throw std::logic_error("no such codec");
}

}  // namespace

protocol::Uuid id_of(std::uint8_t number) {
  protocol::Uuid id;
  id.bytes[0] = number;
  return id;
}

Buffer bytes_of(const Stored<std::vector<StoredPiece>>& pieces) {
  Buffer all;
  for (const StoredPiece& piece : pieces.value()) {
    const auto size = static_cast<std::size_t>(piece.size);
    const Buffer bytes = piece.bytes.empty() ? read_file(piece.file, piece.offset, size)
                                             : Buffer(piece.bytes.begin(), piece.bytes.end());
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  return all;
}

Buffer from_hex(std::string_view hex) {
  Buffer out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out.push_back(
        static_cast<std::uint8_t>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  }
  return out;
}

Buffer batch_at(const std::vector<std::int64_t>& timestamps, const Producer& producer) {
  protocol::BatchOptions options;
  options.producer_id = producer.id;
  options.producer_epoch = producer.epoch;
  options.base_sequence = producer.sequence;
  protocol::BatchBuilder builder(options);
  for (const std::int64_t timestamp : timestamps) {
    builder.add({.timestamp = timestamp,
                 .key = protocol::as_bytes("k"),
                 .value = protocol::as_bytes("value")});
  }
  Buffer out;
  builder.finish(out);
  return out;
}

Buffer batch(int records, const Producer& producer) {
  std::vector<std::int64_t> timestamps;
  for (int i = 0; i < records; ++i) timestamps.push_back(start_ms + i);
  return batch_at(timestamps, producer);
}

Buffer compressed(const Buffer& plain, protocol::Compression codec) {
  Buffer out(plain.begin(), plain.begin() + protocol::batch_header_size);
  const Buffer block = pack(Bytes(plain).subspan(protocol::batch_header_size), codec);
  out.insert(out.end(), block.begin(), block.end());
  put(out, 8, static_cast<std::int32_t>(out.size() - 12));
  out[22] = static_cast<std::uint8_t>((out[22] & ~7U) | static_cast<unsigned>(codec));
  fix_crc(out);
  return out;
}

void fix_crc(Buffer& batch) { put(batch, 17, protocol::crc32c(Bytes(batch).subspan(21))); }

protocol::Uuid create(BrokerRig& rig, std::string_view name, std::int32_t partitions,
                      const Configs& configs) {
  protocol::CreateTopicsRequest request;
  auto& topic = request.topics.emplace_back();
  topic.name = name;
  topic.num_partitions = partitions;
  topic.replication_factor = 1;
  for (const auto& [key, value] : configs) {
    auto& config = topic.configs.emplace_back();
    config.name = key;
    config.value = value;
  }
  const auto response = rig.ask<protocol::CreateTopicsResponse>(request, 7);
  if (response->topics.at(0).error_code != 0) throw std::runtime_error("no topic was made");
  return response->topics[0].topic_id;
}

protocol::ProduceRequest produce_request(std::string_view topic, const Buffer& records,
                                         std::int32_t partition) {
  protocol::ProduceRequest request;
  request.acks = -1;
  request.timeout_ms = 1000;
  auto& data = request.topic_data.emplace_back();
  data.name = topic;
  auto& part = data.partition_data.emplace_back();
  part.index = partition;
  part.records = Bytes(records);
  return request;
}

Produced produce(BrokerRig& rig, std::string_view topic, const Buffer& records,
                 std::int16_t version) {
  const auto response =
      rig.ask<protocol::ProduceResponse>(produce_request(topic, records), version);
  Produced out = response->responses.at(0).partition_responses.at(0);
  out.error_message.reset();
  for (auto& error : out.record_errors) error.batch_index_error_message.reset();
  return out;
}

protocol::FetchRequest fetch_request(std::string_view topic, std::int64_t offset,
                                     std::int32_t partition) {
  protocol::FetchRequest request;
  request.max_wait_ms = 0;
  request.min_bytes = 1;
  request.max_bytes = 1 << 20;
  auto& asked = request.topics.emplace_back();
  asked.topic = topic;
  auto& part = asked.partitions.emplace_back();
  part.partition = partition;
  part.fetch_offset = offset;
  part.partition_max_bytes = 1 << 20;
  return request;
}

protocol::ListOffsetsRequest list_request(std::string_view topic, std::int64_t timestamp) {
  protocol::ListOffsetsRequest request;
  request.replica_id = -1;
  auto& asked = request.topics.emplace_back();
  asked.name = topic;
  asked.partitions.emplace_back().timestamp = timestamp;
  return request;
}

protocol::ListOffsetsResponse::ListOffsetsPartitionResponse list_offset(BrokerRig& rig,
                                                                        std::string_view topic,
                                                                        std::int64_t timestamp,
                                                                        std::int16_t version) {
  const auto response =
      rig.ask<protocol::ListOffsetsResponse>(list_request(topic, timestamp), version);
  return response->topics.at(0).partitions.at(0);
}

}  // namespace muster::embedded::test
