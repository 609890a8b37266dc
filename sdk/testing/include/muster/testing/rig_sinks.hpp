// Sinks and requests of a ProtocolRig. Tests only; one thread.
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>
#include <string>
#include <vector>

#include <muster/testing/fake_decision.hpp>

namespace muster::testing {

struct RequestSpec {
  std::int16_t api_key = 0;
  std::int16_t version = 0;
  Buffer body;
  std::uint64_t id = 1;
  std::uint64_t connection = 1;
  std::uint32_t deadline_ms = 0;
  std::string principal = "User:test";
  std::string client_id = "client";
  std::string client_host = "/127.0.0.1";
  std::string key;
  std::string owner;
};

// The border's view of a request; borrows the spec.
class RequestTable {
 public:
  explicit RequestTable(const RequestSpec& spec)
      : table_{sizeof table_,
               spec.api_key,
               spec.version,
               to_bytes(spec.body),
               spec.id,
               spec.connection,
               spec.deadline_ms,
               to_str(spec.principal),
               to_str(spec.client_id),
               to_str(spec.client_host),
               to_str("TEST"),
               to_str(spec.key),
               to_str(spec.owner)} {}
  const muster_request* table() const { return &table_; }

 private:
  muster_request table_;
};

struct RoutedPart {
  std::uint16_t scope;
  std::string key;
  Buffer body;
  bool whole = false;        // by `key`: the request's own body
  bool every_shard = false;  // key is empty
};

struct Routed {
  muster_code code = MUSTER_OK;
  std::vector<RoutedPart> parts;
};

// every_shard becomes one part: a rig has one shard. A part by `key` gets its body from the rig.
class RouteCollector {
 public:
  RouteCollector(const RequestSpec& spec, Routed* out) : spec_(spec), out_(out) {}
  RouteCollector(const RouteCollector&) = delete;
  RouteCollector& operator=(const RouteCollector&) = delete;
  const muster_route_sink* table() const { return &table_; }

 private:
  static RouteCollector& of(void* self) { return *static_cast<RouteCollector*>(self); }
  static void add(void* self, RoutedPart part) { of(self).out_->parts.push_back(std::move(part)); }

  static void key(void* self, muster_str key) {
    add(self, {MUSTER_SCOPE_GROUP, copy_of(key), of(self).spec_.body, true, false});
  }
  static void every_shard(void* self, muster_bytes body) {
    add(self, {MUSTER_SCOPE_GROUP, {}, copy_of(body), false, true});
  }
  static void part(void* self, std::uint16_t scope, muster_str key, muster_bytes body) {
    add(self, {scope, copy_of(key), copy_of(body), false, false});
  }
  static void shard(void* self, muster_str space, std::uint32_t, muster_bytes body) {
    add(self, {MUSTER_SCOPE_GROUP, copy_of(space), copy_of(body), false, false});
  }

  const RequestSpec& spec_;
  Routed* out_;
  muster_route_sink table_{sizeof table_, this, &key, &every_shard, &part, &shard};
};

class ByteCollector {
 public:
  ByteCollector() = default;
  ByteCollector(const ByteCollector&) = delete;
  ByteCollector& operator=(const ByteCollector&) = delete;
  const muster_bytes_sink* table() const { return &table_; }
  Buffer bytes;

 private:
  static void append(void* self, muster_bytes more) {
    Buffer& bytes = static_cast<ByteCollector*>(self)->bytes;
    bytes.insert(bytes.end(), more.data, more.data + more.size);
  }
  muster_bytes_sink table_{sizeof table_, this, &append};
};

class ErrorText {
 public:
  ErrorText() = default;
  ErrorText(const ErrorText&) = delete;
  ErrorText& operator=(const ErrorText&) = delete;
  const muster_error_sink* table() const { return &table_; }
  std::string text;

 private:
  static void error(void* self, muster_str message) {
    static_cast<ErrorText*>(self)->text = copy_of(message);
  }
  muster_error_sink table_{sizeof table_, this, &error};
};

}  // namespace muster::testing
