// The slots of a group protocol's table, each an unpacking of its arguments inside the barrier.
// Authors need not read this. Threads: as each slot is tagged in abi/group_protocol.h.
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>
#include <utility>

#include <muster/sdk/bodies.hpp>
#include <muster/sdk/decision.hpp>
#include <muster/sdk/instance.hpp>
#include <muster/sdk/shard.hpp>

namespace muster::sdk {

// One record or note to be applied to memory.
struct Replayed {
  std::uint64_t sequence;  // the record's; a note carries that of the newest record
  Kind kind;
  Bytes key;
  std::optional<Bytes> value;  // nothing = tombstone
};

// One piece of offloaded work, on a pool thread.
struct Work {
  std::string_view kind;
  Bytes input;
};

// By name, not by signature: a wrong signature must not read as "does not have it".
template <class T>
concept HasWork = requires { &T::work; };
template <class T>
concept HasMirror = requires { &T::mirror; };
template <class T>
concept HasOnLoaded = requires { &T::on_loaded; };
template <class T>
concept HasOnTimer = requires { &T::on_timer; };
template <class T>
concept HasOnExpired = requires { &T::on_expired; };
template <class T>
concept HasTaskInput = requires { &T::task_input; };
template <class T>
concept HasOnTask = requires { &T::on_task; };
template <class T>
concept HasOnReply = requires { &T::on_reply; };
template <class T>
concept HasOnMetadata = requires { &T::on_metadata; };
template <class T>
concept HasOnDisconnect = requires { &T::on_disconnect; };
template <class T>
concept HasOnOwner = requires { &T::on_owner; };
template <class T>
concept HasDigest = requires { &T::digest; };

// What `shard` points to.
template <class P>
struct OpenShard {
  OpenShard(Instance<P>& instance, const muster_shard* host)
      : log(instance.host.log_table()), object(instance.object, ShardHost{host}) {}

  static OpenShard& of(void* shard) { return *static_cast<OpenShard*>(shard); }

  const muster_log_v1* log;
  typename P::Shard object;
};

template <class P>
struct ProtocolSlots {
  using Self = Instance<P>;

  static muster_code work(void* self, muster_str kind, muster_bytes input,
                          const muster_bytes_sink* out, const muster_error_sink* error) noexcept {
    return guarded_code(Complaint{error}, [&] {
      BytesSink sink{out};
      return std::as_const(Self::of(self)).work(Work{to_view(kind), to_span(input)}, sink);
    });
  }

  static muster_code mirror(void* self, muster_bytes key, muster_bytes value,
                            const muster_mirror_sink* out) noexcept {
    return guarded_code(Self::complaint(self, "mirror"), [&] {
      MirrorSink sink{out};
      return std::as_const(Self::of(self)).mirror(to_span(key), to_nullable_span(value), sink);
    });
  }

  static void* shard_open(void* self, const muster_shard* host,
                          const muster_error_sink* error) noexcept {
    return guarded(
        Complaint{error},
        [&]() -> void* { return new OpenShard<P>(*static_cast<Self*>(self), host); },
        [](muster_code) -> void* { return nullptr; });
  }
};

template <class P>
struct ShardSlots {
  using Open = OpenShard<P>;

  static void close(void* shard) noexcept { delete static_cast<Open*>(shard); }

  static muster_code replay(void* shard, std::uint64_t sequence, std::int32_t kind,
                            muster_bytes key, muster_bytes value,
                            const muster_directory* directory) noexcept {
    return guarded_code(Complaint{Open::of(shard).log, "replay"}, [&] {
      Directory owners{directory};
      const Replayed replayed{sequence, static_cast<Kind>(kind), to_span(key),
                              to_nullable_span(value)};
      return Open::of(shard).object.replay(replayed, owners);
    });
  }

  // Every other slot reads: `body` gets the shard as const, and the decision to fill.
  template <class Body>
  static muster_code deciding(void* shard, const muster_decision* decision,
                              const muster_error_sink* error, Body&& body) noexcept {
    return guarded_code(Complaint{error}, [&] {
      Decision out{decision};
      return body(std::as_const(Open::of(shard).object), out);
    });
  }

  static muster_code decide(void* shard, const muster_request* request,
                            const muster_decision* decision,
                            const muster_error_sink* error) noexcept {
    return deciding(shard, decision, error, [&](const auto& object, Decision& out) {
      return object.decide(Request{request}, out);
    });
  }

  static muster_code on_loaded(void* shard, const muster_decision* decision,
                               const muster_error_sink* error) noexcept {
    return deciding(shard, decision, error,
                    [&](const auto& object, Decision& out) { return object.on_loaded(out); });
  }

  static muster_code on_timer(void* shard, muster_str key, const muster_decision* decision,
                              const muster_error_sink* error) noexcept {
    return deciding(shard, decision, error, [&](const auto& object, Decision& out) {
      return object.on_timer(to_view(key), out);
    });
  }

  static muster_code on_expired(void* shard, std::uint64_t token, const muster_decision* decision,
                                const muster_error_sink* error) noexcept {
    return deciding(shard, decision, error, [&](const auto& object, Decision& out) {
      return object.on_expired(token, out);
    });
  }

  static muster_code task_input(void* shard, muster_str key, std::uint64_t epoch, muster_str kind,
                                const muster_input_sink* out) noexcept {
    return guarded_code(Complaint{Open::of(shard).log, "task_input"}, [&] {
      InputSink sink{out};
      const auto& object = Open::of(shard).object;
      return object.task_input(Task{to_view(key), epoch, to_view(kind)}, sink);
    });
  }

  static muster_code on_task(void* shard, muster_str key, std::uint64_t epoch, muster_str kind,
                             muster_code outcome, muster_bytes result,
                             const muster_decision* decision,
                             const muster_error_sink* error) noexcept {
    return deciding(shard, decision, error, [&](const auto& object, Decision& out) {
      return object.on_task(Task{to_view(key), epoch, to_view(kind)}, TaskResult{outcome, result},
                            out);
    });
  }

  static muster_code on_reply(void* shard, std::uint64_t token, const muster_reply* reply,
                              const muster_decision* decision,
                              const muster_error_sink* error) noexcept {
    return deciding(shard, decision, error, [&](const auto& object, Decision& out) {
      return object.on_reply(token, Reply{reply}, out);
    });
  }

  static muster_code on_metadata(void* shard, const muster_metadata_view* metadata,
                                 const muster_topic_change* changes, std::uint32_t count,
                                 const muster_decision* decision,
                                 const muster_error_sink* error) noexcept {
    return deciding(shard, decision, error, [&](const auto& object, Decision& out) {
      return object.on_metadata(Metadata{metadata}, TopicChanges{changes, count}, out);
    });
  }

  static muster_code on_disconnect(void* shard, std::uint64_t connection,
                                   const muster_decision* decision,
                                   const muster_error_sink* error) noexcept {
    return deciding(shard, decision, error, [&](const auto& object, Decision& out) {
      return object.on_disconnect(connection, out);
    });
  }

  static muster_code on_owner(void* shard, muster_str group, std::int32_t mine,
                              const muster_decision* decision,
                              const muster_error_sink* error) noexcept {
    return deciding(shard, decision, error, [&](const auto& object, Decision& out) {
      return object.on_owner(to_view(group), mine != 0, out);
    });
  }

  static muster_code digest(void* shard, std::int32_t part, const muster_bytes_sink* out) noexcept {
    return guarded_code(Complaint{Open::of(shard).log, "digest"}, [&] {
      BytesSink sink{out};
      const auto& object = Open::of(shard).object;
      return object.digest(static_cast<Digest>(part), sink);
    });
  }
};

}  // namespace muster::sdk
