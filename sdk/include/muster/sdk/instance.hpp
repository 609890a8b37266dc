// How a class becomes the object behind a table: create, destroy, and what both sides of a slot
// need to find each other. [control]
#pragma once

#include <muster/abi/host.h>
#include <muster/abi/options.h>
#include <muster/abi/plugin.h>  // muster_feature, for the author

#include <type_traits>

#include <muster/sdk/barrier.hpp>
#include <muster/sdk/host.hpp>
#include <muster/sdk/options.hpp>

namespace muster::sdk {

// What `self` points to. The class may be constructible from (Host, Options), (Host) or nothing.
template <class T>
struct Instance {
  Instance(const muster_host* host_table, const muster_options* option_table)
      : host(host_table), object(make(host, Options{option_table})) {}

  static T make(const Host& host, const Options& options) {
    if constexpr (std::is_constructible_v<T, const Host&, const Options&>) {
      return T(host, options);
    } else if constexpr (std::is_constructible_v<T, const Host&>) {
      return T(host);
    } else {
      static_assert(std::is_default_constructible_v<T>,
                    "construct it from (Host, Options), (Host) or nothing");
      return T();
    }
  }

  static T& of(void* self) { return static_cast<Instance*>(self)->object; }
  static Complaint complaint(void* self, std::string_view slot) {
    return {static_cast<Instance*>(self)->host.log_table(), slot};
  }

  Host host;
  T object;
};

template <class T>
void* create_instance(const muster_host* host, const muster_options* options,
                      const muster_error_sink* error) noexcept {
  return guarded(
      Complaint{error}, [&]() -> void* { return new Instance<T>(host, options); },
      [](muster_code) -> void* { return nullptr; });
}

template <class T>
void destroy_instance(void* self) noexcept {
  delete static_cast<Instance<T>*>(self);
}

}  // namespace muster::sdk
