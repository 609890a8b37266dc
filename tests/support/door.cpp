#include "support/door.hpp"

#include <dlfcn.h>

#include <stdexcept>

namespace muster::testing {

std::ostream& operator<<(std::ostream& out, Door door) {
  return out << (door == Door::linked ? "linked" : "built");
}

std::string door_name(const ::testing::TestParamInfo<Door>& info) {
  return info.param == Door::linked ? "Linked" : "Built";
}

const muster_plugin& plugin_behind(Door door) {
  if (door == Door::linked) return *muster_plugin_entry(MUSTER_ABI_MAJOR);
  static void* const library = dlopen(plugin_file(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto entry =
      reinterpret_cast<muster_plugin_entry_fn>(dlsym(library, MUSTER_PLUGIN_ENTRY_NAME));
  return *entry(MUSTER_ABI_MAJOR);
}

}  // namespace muster::testing
