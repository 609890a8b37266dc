// What a [shard] slot wants to happen. Nothing happens before the slot returns; if it throws, all
// of it is dropped. Thin forwarding, in emission order. On the slot's thread only.
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <muster/sdk/request.hpp>
#include <muster/sdk/types.hpp>

namespace muster::sdk {

// A Kafka request to be sent through the host's dispatch.
struct Call {
  std::uint64_t token;  // comes back in on_reply
  bool as_host;         // false: in the caller's name; in slots without a caller: the host's
  std::int16_t api_key;
  std::int16_t version;
  Bytes body;
};

class Decision {
 public:
  explicit Decision(const muster_decision* table) : table_(table) {}

  // No value = tombstone.
  void record(Bytes key, std::optional<Bytes> value) {
    emit<&muster_decision::record>(to_bytes(key), to_nullable_bytes(value));
  }
  // As record, but gone after a reload.
  void note(Bytes key, std::optional<Bytes> value) {
    emit<&muster_decision::note>(to_bytes(key), to_nullable_bytes(value));
  }
  void tombstone(Bytes key) { record(key, std::nullopt); }
  void erase_note(Bytes key) { note(key, std::nullopt); }

  void respond(Bytes body) { emit<&muster_decision::respond>(to_bytes(body)); }
  void respond_shared(const SharedBytes& body) {
    emit<&muster_decision::respond_shared>(body.parts.data(), count(body), body.release,
                                           body.owner);
  }
  // As respond, without the copy: the host frees the buffer when it has been sent.
  template <class Buffer>
  void respond_owned(Buffer&& body) {
    const auto send = offered(table_, &muster_decision::respond_shared);
    auto owner = std::make_unique<std::remove_cvref_t<Buffer>>(std::forward<Buffer>(body));
    const muster_bytes part = to_bytes(Bytes{*owner});
    send(table_->self, &part, 1, &Owning<std::remove_cvref_t<Buffer>>::release, owner.release());
  }
  // The API's creator decides this request in our place; what else we emitted is dropped.
  void hand_on() { emit<&muster_decision::hand_on>(); }
  void no_response() { emit<&muster_decision::no_response>(); }
  void close_connection(std::uint64_t connection) {
    emit<&muster_decision::close_connection>(connection);
  }

  // Keeps the request open until `complete`. deadline_ms 0 = none; at it on_expired is called.
  // Outside decide, for a parked token: renews its deadline.
  void park(std::uint64_t token, std::uint32_t deadline_ms = 0) {
    emit<&muster_decision::park>(token, deadline_ms);
  }
  void complete(std::uint64_t token, Bytes body) {
    emit<&muster_decision::complete>(token, to_bytes(body));
  }
  void complete_shared(std::uint64_t token, const SharedBytes& body) {
    emit<&muster_decision::complete_shared>(token, body.parts.data(), count(body), body.release,
                                            body.owner);
  }

  // Replaces the timer of that key.
  void timer(std::string_view key, std::uint32_t after_ms) {
    emit<&muster_decision::timer>(to_str(key), after_ms);
  }
  void cancel(std::string_view key) { emit<&muster_decision::cancel>(to_str(key)); }

  // kind: "work/NAME", or an assignor interface id, a blank and the assignor's name. While one of
  // the same key runs, asking again means "once more afterwards".
  void offload(std::string_view key, std::uint64_t epoch, std::string_view kind) {
    emit<&muster_decision::offload>(to_str(key), epoch, to_str(kind));
  }
  void call(const Call& call) {
    emit<&muster_decision::call>(call.token, call.as_host ? 1 : 0, call.api_key, call.version,
                                 to_bytes(call.body));
  }

  const muster_decision* table() const { return table_; }

 private:
  template <auto Slot, class... Args>
  void emit(const Args&... args) {
    offered(table_, Slot)(table_->self, args...);
  }
  static std::uint32_t count(const SharedBytes& body) {
    return static_cast<std::uint32_t>(body.parts.size());
  }

  const muster_decision* table_;
};

}  // namespace muster::sdk
