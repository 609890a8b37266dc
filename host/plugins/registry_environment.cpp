// Where plugins are looked for, and where is noted which have been tried.
#include "plugins/registry.hpp"

#include <cstdlib>

namespace muster::host {
namespace {

namespace fs = std::filesystem;

fs::path user_cache() {
  const auto of = [](const char* variable) {
    const char* value = std::getenv(variable);
    return value == nullptr ? fs::path() : fs::path(value);
  };
  const fs::path xdg = of("XDG_CACHE_HOME");
  if (xdg.is_absolute()) return xdg / "muster";
  const fs::path home = of("HOME");
  return home.is_absolute() ? home / ".cache" / "muster" : fs::path();
}

}  // namespace

RegistryEnvironment registry_environment(const HostConfig& config) {
  RegistryEnvironment environment;
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (!error) environment.executable = executable;
  environment.cache_dir = user_cache();
  environment.search_path = config.plugin_search_path;
  if (environment.search_path.empty() && !error) {
    const fs::path prefix = executable.parent_path().parent_path();
    // A build tree has build/PRESET/bin/muster, an installation PREFIX/bin/muster.
    environment.search_path = {prefix / "plugins", prefix / "lib" / "muster" / "plugins"};
  }
  return environment;
}

}  // namespace muster::host
