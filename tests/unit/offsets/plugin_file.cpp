// The only source that the build tells a path to, so that a change of place recompiles nothing
// else.
#include "offsets_rig.hpp"

namespace muster::offsets {

const char* plugin_file() { return OFFSETS_PLUGIN_FILE; }

}  // namespace muster::offsets
