// The offsets plugin behind its C table, linked in or as the built library, with two topics: orders
// (3 partitions, id 1) and payments (2 partitions, id 2).
#pragma once

#include <gmock/gmock.h>

#include <cstdint>
#include <optional>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <muster/protocol/codec.hpp>
#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/messages/offset_commit_response.hpp>
#include <muster/protocol/messages/offset_fetch_request.hpp>
#include <muster/protocol/messages/offset_fetch_response.hpp>
#include <muster/protocol/records/offset_commit_key.hpp>
#include <muster/protocol/records/offset_commit_value.hpp>
#include <muster/testing/protocol_rig.hpp>
#include "support/door.hpp"

namespace muster::offsets {

using muster::protocol::Error;
using muster::testing::Buffer;
using muster::testing::FakeOwner;
using muster::testing::Outcome;
using muster::testing::RequestSpec;
using muster::testing::Write;
using Writes = std::vector<Write>;
using Names = std::vector<std::string>;

using muster::testing::Door;

inline protocol::Uuid topic_id(std::uint64_t number) {
  protocol::Uuid id;
  const muster_uuid raw = testing::FakeMetadata::id_of(number);
  std::memcpy(id.bytes.data(), raw.bytes, sizeof raw.bytes);
  return id;
}

// A decoded message and the bytes it views.
template <class Message>
class Decoded {
 public:
  Decoded(Buffer bytes, std::int16_t version) : bytes_(std::move(bytes)) {
    auto decoded = protocol::decode<Message>(bytes_, version);
    if (!decoded) throw std::logic_error("cannot decode: " + std::string{decoded.error().what});
    message_ = *std::move(decoded);
    Buffer again;
    protocol::encode(message_, version, again);
    if (again != bytes_) throw std::logic_error("the answer is not what it decodes to");
  }
  const Message& operator*() const { return message_; }
  const Message* operator->() const { return &message_; }

 private:
  Buffer bytes_;
  Message message_;
};

template <class Message>
RequestSpec spec_of(const Message& message, std::int16_t version) {
  RequestSpec spec;
  spec.api_key = Message::api_key;
  spec.version = version;
  protocol::encode(message, version, spec.body);
  return spec;
}

// One partition of a commit.
struct Line {
  std::string_view topic;
  std::int32_t partition = 0;
  std::int64_t offset = 0;
  std::optional<std::string_view> metadata = std::string_view{};
  std::int32_t leader_epoch = -1;
};

// Topic, partition, error; the topic by name, or "#n" where the version has ids only.
using Verdict = std::tuple<std::string, std::int32_t, std::int16_t>;
using Verdicts = std::vector<Verdict>;

inline Verdict verdict(std::string topic, std::int32_t partition, Error error = Error::none) {
  return {std::move(topic), partition, protocol::code(error)};
}

class OffsetsRig : public testing::ProtocolRig {
 public:
  explicit OffsetsRig(Door door);
  ~OffsetsRig();

  // The rig's own, but compiled once.
  void open();
  void close();
  void reload();
  Outcome decide(const RequestSpec& spec);
  Buffer answer(const RequestSpec& spec);
  Outcome on_metadata();
  std::vector<Outcome> advance(std::int64_t ms);

  template <class Response, class Message>
  Decoded<Response> ask(const Message& message, std::int16_t version) {
    return {answer(spec_of(message, version)), version};
  }

  // Lines of one topic that follow each other share a topic entry. Topics that do not exist get
  // id 99.
  protocol::OffsetCommitRequest commit_request(std::string_view group,
                                               const std::vector<Line>& lines);
  Verdicts commit(const protocol::OffsetCommitRequest& request, std::int16_t version = 9);
  Verdicts commit(std::string_view group, const std::vector<Line>& lines,
                  std::int16_t version = 9) {
    return commit(commit_request(group, lines), version);
  }
  // Commits and expects that all of it was taken.
  void committed(std::string_view group, const std::vector<Line>& lines);
  // -1: none.
  std::int64_t fetch(std::string_view group, std::string_view topic, std::int32_t partition);
};

Buffer offset_key(std::string_view group, std::string_view topic, std::int32_t partition);
Buffer offset_value(const protocol::OffsetCommitValue& value, std::int16_t version = 4);
Write tombstone(std::string_view group, std::string_view topic, std::int32_t partition);

class OffsetsTest : public ::testing::TestWithParam<Door> {
 protected:
  OffsetsTest() : rig(GetParam()) {}
  OffsetsRig rig;
};

}  // namespace muster::offsets

#define OFFSETS_TESTS(Suite)                              \
  class Suite : public ::muster::offsets::OffsetsTest {}; \
  BOTH_DOORS(Suite)
