// The only source that the build tells paths to, so that a change of place recompiles nothing else.
#include "plugin_files.hpp"

namespace muster::assignors {

std::string plugin_file(const std::string& name) {
  return std::string(MUSTER_PLUGIN_FOLDER) + "/" + name + "/" + name + ".so";
}

std::string vector_file(const std::string& name) {
  return std::string(MUSTER_VECTOR_FOLDER) + "/" + name + ".txt.gz";
}

}  // namespace muster::assignors
