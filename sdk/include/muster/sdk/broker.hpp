// muster.broker/1 in C++. An author's class has
//   static constexpr muster_api_claim apis[];
//   void handle(const Request&, Answer);                       // [any] the Request dies with it
//   void gone(std::uint64_t connection);                       // [any]
//   void watch(const MetadataEvents&);                         // [control]
//   void cluster_id(BytesSink&) const;                         // [pure]
// and, where an API is routed: route, join, refuse as a group protocol's, const. [pure]
#pragma once

#include <muster/abi/broker.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include <muster/sdk/bodies.hpp>
#include <muster/sdk/instance.hpp>
#include <muster/sdk/request.hpp>
#include <muster/sdk/types.hpp>

namespace muster::sdk {

struct SharedPieces {
  std::span<const muster_piece> pieces;
  muster_release release;
  void* owner;
};

inline muster_piece to_piece(Bytes bytes) { return {bytes.data(), bytes.size(), 0, -1}; }

// Answers one request once, from any thread; one that is dropped closes the connection.
class Answer {
 public:
  explicit Answer(const muster_answer* table) : table_(table) {}
  Answer(Answer&& other) noexcept : table_(std::exchange(other.table_, nullptr)) {}
  Answer& operator=(Answer&& other) noexcept {
    std::swap(table_, other.table_);
    return *this;
  }
  ~Answer() {
    if (table_ != nullptr) table_->close(table_->self);
  }

  void body(Bytes body) {
    const auto send = offered(table_, &muster_answer::body);
    const auto* table = std::exchange(table_, nullptr);
    send(table->self, to_bytes(body));
  }
  void shared(const SharedBytes& body) {
    const auto send = offered(table_, &muster_answer::parts);
    const auto* table = std::exchange(table_, nullptr);
    send(table->self, body.parts.data(), static_cast<std::uint32_t>(body.parts.size()),
         body.release, body.owner);
  }
  // As shared, of memory and files.
  void shared(const SharedPieces& body) {
    const auto send = offered(table_, &muster_answer::pieces);
    const auto* table = std::exchange(table_, nullptr);
    send(table->self, body.pieces.data(), static_cast<std::uint32_t>(body.pieces.size()),
         body.release, body.owner);
  }
  // As body, without the copy: the host frees the buffer when it has been sent.
  template <class Buffer>
  void owned(Buffer&& body) {
    using Held = std::remove_cvref_t<Buffer>;
    auto owner = std::make_unique<Held>(std::forward<Buffer>(body));
    const muster_bytes part = to_bytes(Bytes{*owner});
    const auto send = offered(table_, &muster_answer::parts);
    const auto* table = std::exchange(table_, nullptr);
    send(table->self, &part, 1, &Owning<Held>::release, owner.release());
  }
  void none() {
    const auto send = offered(table_, &muster_answer::none);
    send(std::exchange(table_, nullptr)->self);
  }
  void close() {
    const auto send = offered(table_, &muster_answer::close);
    send(std::exchange(table_, nullptr)->self);
  }

 private:
  const muster_answer* table_;
};

// What changed; from any thread, one call at a time. Topics are the created and changed ones in
// full, hash 0. The first call, from within watch, carries every topic.
class MetadataEvents {
 public:
  explicit MetadataEvents(const muster_metadata_events* table) : table_(table) {}

  // topics[i] is what changes[i] made of it; NULL for a deleted one.
  void changed(std::span<const muster_topic* const> topics,
               std::span<const muster_topic_change> changes) const {
    if (topics.size() != changes.size()) throw Failure(MUSTER_INTERNAL, "one topic per change");
    offered(table_, &muster_metadata_events::changed)(table_->self, topics.data(), changes.data(),
                                                      static_cast<std::uint32_t>(topics.size()));
  }

 private:
  const muster_metadata_events* table_;
};

template <class Broker>
struct BrokerSlots {
  using Self = Instance<Broker>;

  static void handle(void* self, const muster_request* request,
                     const muster_answer* answer) noexcept {
    guarded_void(Self::complaint(self, "handle"), [&] {
      Answer once{answer};
      Self::of(self).handle(Request{request}, std::move(once));
    });
  }
  static void gone(void* self, std::uint64_t connection) noexcept {
    guarded_void(Self::complaint(self, "gone"), [&] { Self::of(self).gone(connection); });
  }
  static muster_code watch(void* self, const muster_metadata_events* events) noexcept {
    return guarded_code(Self::complaint(self, "watch"),
                        [&] { return Self::of(self).watch(MetadataEvents{events}); });
  }
  static muster_code cluster_id(void* self, const muster_bytes_sink* out) noexcept {
    return guarded_code(Self::complaint(self, "cluster_id"), [&] {
      BytesSink sink{out};
      return std::as_const(Self::of(self)).cluster_id(sink);
    });
  }
};

namespace detail {

template <class Broker>
constexpr muster_broker_v1 make_broker_table() {
  using Slots = BrokerSlots<Broker>;
  muster_broker_v1 table{};
  table.struct_size = sizeof table;
  table.apis = std::data(Broker::apis);
  table.api_count = std::size(Broker::apis);
  table.create = &create_instance<Broker>;
  table.destroy = &destroy_instance<Broker>;
  if constexpr (HasRoute<Broker>) table.route = &BodySlots<Broker>::route;
  if constexpr (HasJoin<Broker>) table.join = &BodySlots<Broker>::join;
  if constexpr (HasRefuse<Broker>) table.refuse = &BodySlots<Broker>::refuse;
  table.handle = &Slots::handle;
  table.gone = &Slots::gone;
  table.watch = &Slots::watch;
  table.cluster_id = &Slots::cluster_id;
  return table;
}

}  // namespace detail

template <class Broker>
inline constexpr muster_broker_v1 broker_table = detail::make_broker_table<Broker>();

}  // namespace muster::sdk
