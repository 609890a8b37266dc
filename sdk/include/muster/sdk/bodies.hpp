// The three [pure] slots about bodies, shared by group protocols and brokers:
//   void route(const Request&, RouteSink&) const;
//   void join(const Request&, Parts, BytesSink&) const;
//   void refuse(const Request&, std::int16_t kafka_error, std::string_view why, BytesSink&) const;
#pragma once

#include <muster/abi/request.h>

#include <cstdint>
#include <utility>

#include <muster/sdk/instance.hpp>
#include <muster/sdk/request.hpp>

namespace muster::sdk {

// By name, not by signature: a wrong signature must not read as "does not have it".
template <class T>
concept HasRoute = requires { &T::route; };
template <class T>
concept HasJoin = requires { &T::join; };
template <class T>
concept HasRefuse = requires { &T::refuse; };

template <class T>
struct BodySlots {
  using Self = Instance<T>;

  static muster_code route(void* self, const muster_request* request,
                           const muster_route_sink* out) noexcept {
    return guarded_code(Self::complaint(self, "route"), [&] {
      RouteSink sink{out};
      return std::as_const(Self::of(self)).route(Request{request}, sink);
    });
  }

  static muster_code join(void* self, const muster_request* request, const muster_bytes* parts,
                          std::uint32_t count, const muster_bytes_sink* out) noexcept {
    return guarded_code(Self::complaint(self, "join"), [&] {
      BytesSink sink{out};
      return std::as_const(Self::of(self)).join(Request{request}, Parts{parts, count}, sink);
    });
  }

  static muster_code refuse(void* self, const muster_request* request, std::int16_t kafka_error,
                            muster_str why, const muster_bytes_sink* out) noexcept {
    return guarded_code(Self::complaint(self, "refuse"), [&] {
      BytesSink sink{out};
      return std::as_const(Self::of(self))
          .refuse(Request{request}, kafka_error, to_view(why), sink);
    });
  }
};

}  // namespace muster::sdk
