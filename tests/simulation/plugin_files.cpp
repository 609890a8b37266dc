// The only source that the build tells paths to.
#include "plugin_files.hpp"

#include <dlfcn.h>

#include <map>
#include <stdexcept>

namespace muster::simulation {

const muster_export& built_plugin(const std::string& name) {
  static const std::map<std::string, const char*> files{{"classic", CLASSIC_PLUGIN_FILE},
                                                        {"consumer", CONSUMER_PLUGIN_FILE},
                                                        {"offsets", OFFSETS_PLUGIN_FILE},
                                                        {"range", RANGE_PLUGIN_FILE},
                                                        {"uniform", UNIFORM_PLUGIN_FILE}};
  void* const library = dlopen(files.at(name), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto entry =
      reinterpret_cast<muster_plugin_entry_fn>(dlsym(library, MUSTER_PLUGIN_ENTRY_NAME));
  return entry(MUSTER_ABI_MAJOR)->exports[0];
}

}  // namespace muster::simulation
