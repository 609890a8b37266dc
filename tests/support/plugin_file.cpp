// The only source that the build tells a path to, so that a change of place recompiles nothing
// else.
#include "support/door.hpp"

namespace muster::testing {

const char* plugin_file() { return PLUGIN_FILE; }

}  // namespace muster::testing
