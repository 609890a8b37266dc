// The records inside an uncompressed block. Owner: protocol.
#include <muster/protocol/record_batch.hpp>

namespace muster::protocol {
namespace {

std::optional<Bytes> read_nullable(Reader& in) {
  const std::int32_t size = in.read_varint();
  if (size < 0) return std::nullopt;
  return in.read_raw(static_cast<std::size_t>(size));
}

}  // namespace

bool RecordReader::next(Record& record) {
  if (!in_.ok()) return false;
  if (left_ <= 0) {
    if (in_.remaining() > 0) in_.fail("bytes behind the last record");
    return false;
  }
  --left_;
  const std::int32_t size = in_.read_varint();
  if (size < 0 || static_cast<std::size_t>(size) > in_.remaining()) {
    in_.fail("record longer than its batch");
    return false;
  }
  const std::size_t after = in_.remaining() - static_cast<std::size_t>(size);
  read_body(record);
  if (in_.ok() && in_.remaining() != after) in_.fail("record of another length than it says");
  return in_.ok();
}

void RecordReader::read_body(Record& record) {
  record.attributes = in_.read_int8();
  record.timestamp_delta = in_.read_varlong();
  record.offset_delta = in_.read_varint();
  record.key = read_nullable(in_);
  record.value = read_nullable(in_);
  record.headers.clear();
  std::int32_t headers = in_.read_varint();
  if (headers < 0) return in_.fail("negative header count");
  for (; headers > 0 && in_.ok(); --headers) {
    const auto key = read_nullable(in_);
    if (!key) return in_.fail("record header without a key");
    record.headers.push_back({as_text(*key), read_nullable(in_)});
  }
}

std::optional<ControlType> control_type(Bytes key) {
  Reader in(key);
  const std::int16_t version = in.read_int16();
  const std::int16_t type = in.read_int16();
  if (!in.ok() || version < 0) return std::nullopt;
  return static_cast<ControlType>(type);
}

}  // namespace muster::protocol
