// The door in C++: turns classes into exports and defines the one exported function.
//   MUSTER_PLUGIN(MUSTER_PARTITION_ASSIGNOR(RoundRobin, "round-robin"))
// Use it once, at namespace scope, in a source file of its own (plugin.cpp): unit tests then link
// the plugin's classes without it. id, version and license come from muster_add_plugin.
#pragma once

#include <muster/abi/plugin.h>

#include <iterator>

#include <muster/sdk/broker.hpp>
#include <muster/sdk/group_protocol.hpp>
#include <muster/sdk/partition_assignor.hpp>
#include <muster/sdk/store.hpp>

namespace muster::sdk {

// Class may have `static constexpr muster_option options[]` and `muster_feature features[]`.
template <class Class>
constexpr muster_export make_export(const char* interface_id, const char* name, const void* table) {
  muster_export out{};
  out.interface_id = interface_id;
  out.name = name;
  out.table = table;
  if constexpr (requires { Class::options; }) {
    out.options = std::data(Class::options);
    out.option_count = std::size(Class::options);
  }
  if constexpr (requires { Class::features; }) {
    out.features = std::data(Class::features);
    out.feature_count = std::size(Class::features);
  }
  return out;
}

}  // namespace muster::sdk

#define MUSTER_GROUP_PROTOCOL(Class, name)                             \
  ::muster::sdk::make_export<Class>(MUSTER_IFACE_GROUP_PROTOCOL, name, \
                                    &::muster::sdk::group_protocol_table<Class>)
#define MUSTER_PARTITION_ASSIGNOR(Class, name)                             \
  ::muster::sdk::make_export<Class>(MUSTER_IFACE_PARTITION_ASSIGNOR, name, \
                                    &::muster::sdk::partition_assignor_table<Class>)
#define MUSTER_STORE(Class, name) \
  ::muster::sdk::make_export<Class>(MUSTER_IFACE_STORE, name, &::muster::sdk::store_table<Class>)
#define MUSTER_BROKER(Class, name) \
  ::muster::sdk::make_export<Class>(MUSTER_IFACE_BROKER, name, &::muster::sdk::broker_table<Class>)

// The oldest border minor that has all this layer needs, not the one it was compiled with: what
// came later is looked for before it is used. A plugin that cannot do without says so before
// including.
#ifndef MUSTER_PLUGIN_ABI_MINOR
#define MUSTER_PLUGIN_ABI_MINOR 1
#endif

// Constant-initialised: the entry must be pure.
#define MUSTER_PLUGIN(...)                                                            \
  namespace {                                                                         \
  constinit const muster_export muster_sdk_exports[] = {__VA_ARGS__};                 \
  constinit const muster_plugin muster_sdk_plugin = {                                 \
      sizeof(muster_plugin),         MUSTER_ABI_MAJOR,  MUSTER_PLUGIN_ABI_MINOR,      \
      std::size(muster_sdk_exports), MUSTER_PLUGIN_ID,  MUSTER_PLUGIN_VERSION,        \
      MUSTER_PLUGIN_LICENSE,         muster_sdk_exports};                             \
  }                                                                                   \
  extern "C" const muster_plugin* muster_plugin_entry(std::uint32_t host_abi_major) { \
    return host_abi_major == MUSTER_ABI_MAJOR ? &muster_sdk_plugin : nullptr;         \
  }                                                                                   \
  static_assert(true, "so that a semicolon may follow")
