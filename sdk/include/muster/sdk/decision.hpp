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
    slot(&muster_decision::record)(table_->self, to_bytes(key), to_nullable_bytes(value));
  }
  // As record, but gone after a reload.
  void note(Bytes key, std::optional<Bytes> value) {
    slot(&muster_decision::note)(table_->self, to_bytes(key), to_nullable_bytes(value));
  }
  void tombstone(Bytes key) { record(key, std::nullopt); }
  void erase_note(Bytes key) { note(key, std::nullopt); }

  void respond(Bytes body) { slot(&muster_decision::respond)(table_->self, to_bytes(body)); }
  void respond_shared(const SharedBytes& body) {
    slot(&muster_decision::respond_shared)(table_->self, body.parts.data(), count(body),
                                           body.release, body.owner);
  }
  // As respond, without the copy: the host frees the buffer when it has been sent.
  template <class Buffer>
  void respond_owned(Buffer&& body) {
    const auto send = slot(&muster_decision::respond_shared);
    auto owner = std::make_unique<std::remove_cvref_t<Buffer>>(std::forward<Buffer>(body));
    const muster_bytes part = to_bytes(Bytes{*owner});
    send(table_->self, &part, 1, &Owning<std::remove_cvref_t<Buffer>>::release, owner.release());
  }
  void no_response() { slot(&muster_decision::no_response)(table_->self); }
  void close_connection(std::uint64_t connection) {
    slot(&muster_decision::close_connection)(table_->self, connection);
  }

  // Keeps the request open until `complete`. deadline_ms 0 = none; at it on_expired is called.
  // Outside decide, for a parked token: renews its deadline.
  void park(std::uint64_t token, std::uint32_t deadline_ms = 0) {
    slot(&muster_decision::park)(table_->self, token, deadline_ms);
  }
  void complete(std::uint64_t token, Bytes body) {
    slot(&muster_decision::complete)(table_->self, token, to_bytes(body));
  }
  void complete_shared(std::uint64_t token, const SharedBytes& body) {
    slot(&muster_decision::complete_shared)(table_->self, token, body.parts.data(), count(body),
                                            body.release, body.owner);
  }

  // Replaces the timer of that key.
  void timer(std::string_view key, std::uint32_t after_ms) {
    slot(&muster_decision::timer)(table_->self, to_str(key), after_ms);
  }
  void cancel(std::string_view key) {
    slot(&muster_decision::cancel)(table_->self, to_str(key));
  }

  // kind: "work/NAME", or an assignor interface id, a blank and the assignor's name. While one of
  // the same key runs, asking again means "once more afterwards".
  void offload(std::string_view key, std::uint64_t epoch, std::string_view kind) {
    slot(&muster_decision::offload)(table_->self, to_str(key), epoch, to_str(kind));
  }
  void call(const Call& call) {
    slot(&muster_decision::call)(table_->self, call.token, call.as_host ? 1 : 0, call.api_key,
                                 call.version, to_bytes(call.body));
  }

  const muster_decision* table() const { return table_; }

 private:
  template <class Slot>
  Slot slot(Slot muster_decision::*member) const {
    return offered(table_, member);
  }
  static std::uint32_t count(const SharedBytes& body) {
    return static_cast<std::uint32_t>(body.parts.size());
  }

  const muster_decision* table_;
};

}  // namespace muster::sdk
