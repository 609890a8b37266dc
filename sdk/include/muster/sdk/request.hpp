// A Kafka request and what slots about bodies write to. Views: good until the slot returns, on the
// calling thread (a broker's Answer lives longer).
#pragma once

#include <muster/abi/request.h>

#include <cstdint>
#include <span>
#include <string_view>

#include <muster/sdk/types.hpp>

namespace muster::sdk {

class Request {
 public:
  explicit Request(const muster_request* table) : table_(table) {}

  std::int16_t api_key() const { return table_->api_key; }
  std::int16_t version() const { return table_->version; }
  Bytes body() const { return to_span(table_->body); }
  // Of this request, or this part of one; unique in the process, good as a token.
  std::uint64_t id() const { return table_->id; }
  std::uint64_t connection() const { return table_->connection; }  // 0: the host itself
  std::uint32_t deadline_ms() const { return table_->deadline_ms; }
  std::string_view principal() const { return to_view(table_->principal); }
  std::string_view client_id() const { return to_view(table_->client_id); }
  std::string_view client_host() const { return to_view(table_->client_host); }
  std::string_view listener() const { return to_view(table_->listener); }
  std::string_view key() const { return to_view(member_or(*table_, &muster_request::key)); }
  std::string_view owner() const { return to_view(member_or(*table_, &muster_request::owner)); }
  const muster_request* table() const { return table_; }

 private:
  const muster_request* table_;
};

enum class Scope : std::uint16_t {
  broker = MUSTER_SCOPE_BROKER,
  group = MUSTER_SCOPE_GROUP,
  topic = MUSTER_SCOPE_TOPIC,
  resource = MUSTER_SCOPE_RESOURCE,
  transaction = MUSTER_SCOPE_TRANSACTION,
};

// Call `key`, or `every_shard`, or `part`/`shard` once a part.
class RouteSink {
 public:
  explicit RouteSink(const muster_route_sink* table) : table_(table) {}

  void key(std::string_view key) {
    offered(table_, &muster_route_sink::key)(table_->self, to_str(key));
  }
  void every_shard(Bytes body) {
    offered(table_, &muster_route_sink::every_shard)(table_->self, to_bytes(body));
  }
  void part(Scope scope, std::string_view key, Bytes body) {
    offered(table_, &muster_route_sink::part)(table_->self, static_cast<std::uint16_t>(scope),
                                              to_str(key), to_bytes(body));
  }
  void shard(std::string_view space, std::uint32_t shard, Bytes body) {
    offered(table_, &muster_route_sink::shard)(table_->self, to_str(space), shard, to_bytes(body));
  }

 private:
  const muster_route_sink* table_;
};

// A second call appends.
class BytesSink {
 public:
  explicit BytesSink(const muster_bytes_sink* table) : table_(table) {}

  void write(Bytes bytes) {
    offered(table_, &muster_bytes_sink::bytes)(table_->self, to_bytes(bytes));
  }
  void write(std::string_view text) { write(as_bytes(text)); }

 private:
  const muster_bytes_sink* table_;
};

// Bytes that leave the process without a copy: valid until release(owner), called once, from any
// thread. Owning<T> keeps a T alive until then.
struct SharedBytes {
  std::span<const muster_bytes> parts;
  muster_release release;
  void* owner;
};

template <class T>
struct Owning {
  static void release(void* owner) noexcept { delete static_cast<T*>(owner); }
};

}  // namespace muster::sdk
