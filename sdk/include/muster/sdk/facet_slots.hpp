// The slots of the facet's table, each an unpacking of its arguments inside the barrier. Authors
// need not read this. [shard]
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>
#include <span>
#include <utility>

#include <muster/sdk/facet.hpp>
#include <muster/sdk/protocol_slots.hpp>

namespace muster::sdk {

template <class T>
concept HasFacet =
    requires { &T::describe_listed; } || requires { &T::check_commit; } ||
    requires { &T::check_fetch; } || requires { &T::subscribes; } || requires { &T::remove; } ||
    requires { &T::expires; } || requires { &T::export_group; };

template <class P>
struct FacetSlots {
  static constexpr std::int16_t unknown_server_error = -1;  // Kafka's

  static const typename P::Shard& object(void* shard) { return OpenShard<P>::of(shard).object; }
  static Complaint complaint(void* shard, std::string_view slot) {
    return {OpenShard<P>::of(shard).log, slot};
  }

  static muster_code describe_listed(void* shard, muster_str group,
                                     const muster_listed_sink* out) noexcept {
    return guarded_code(complaint(shard, "describe_listed"), [&] {
      ListedSink sink{out};
      return object(shard).describe_listed(to_view(group), sink);
    });
  }

  static muster_code check_commit(void* shard, const muster_commit* commit, std::int16_t* errors,
                                  const muster_decision* decision) noexcept {
    return guarded_code(complaint(shard, "check_commit"), [&] {
      Decision out{decision};
      const std::span<std::int16_t> answers{errors, commit->partition_count};
      return object(shard).check_commit(Commit{commit}, answers, out);
    });
  }

  static std::int16_t check_fetch(void* shard, muster_str group, muster_str member,
                                  std::int32_t epoch) noexcept {
    return guarded(
        complaint(shard, "check_fetch"),
        [&]() -> std::int16_t {
          const Fetcher who{to_view(group), to_nullable_view(member), epoch};
          return object(shard).check_fetch(who);
        },
        [](muster_code) { return unknown_server_error; });
  }

  // Failed: "yes" is the answer that deletes nothing.
  static std::int32_t subscribes(void* shard, muster_str group, muster_str topic) noexcept {
    return guarded(
        complaint(shard, "subscribes"),
        [&]() -> std::int32_t {
          return object(shard).subscribes(to_view(group), to_view(topic)) ? 1 : 0;
        },
        [](muster_code) -> std::int32_t { return 1; });
  }

  static std::int16_t remove(void* shard, muster_str group,
                             const muster_decision* decision) noexcept {
    return guarded(
        complaint(shard, "remove"),
        [&]() -> std::int16_t {
          Decision out{decision};
          return object(shard).remove(to_view(group), out);
        },
        [](muster_code) { return unknown_server_error; });
  }

  static std::int32_t expires(void* shard, muster_str group, std::int64_t* from_ms,
                              std::int32_t* unsubscribed_only) noexcept {
    return guarded(
        complaint(shard, "expires"),
        [&]() -> std::int32_t {
          const Expiry expiry = object(shard).expires(to_view(group));
          *from_ms = expiry.from_ms;
          *unsubscribed_only = expiry.unsubscribed_only ? 1 : 0;
          return static_cast<std::int32_t>(expiry.when);
        },
        [](muster_code) -> std::int32_t { return MUSTER_EXPIRES_NEVER; });
  }

  static muster_code export_group(void* shard, muster_str group, const muster_decision* decision,
                                  const muster_record_sink* out) noexcept {
    return guarded_code(complaint(shard, "export_group"), [&] {
      Decision emitted{decision};
      RecordSink sink{out};
      return object(shard).export_group(to_view(group), emitted, sink);
    });
  }
};

template <class P>
inline constexpr muster_group_facet_v1 facet_table = {
    .struct_size = sizeof(muster_group_facet_v1),
    .describe_listed = &FacetSlots<P>::describe_listed,
    .check_commit = &FacetSlots<P>::check_commit,
    .check_fetch = &FacetSlots<P>::check_fetch,
    .subscribes = &FacetSlots<P>::subscribes,
    .remove = &FacetSlots<P>::remove,
    .expires = &FacetSlots<P>::expires,
    .export_group = &FacetSlots<P>::export_group,
};

}  // namespace muster::sdk
