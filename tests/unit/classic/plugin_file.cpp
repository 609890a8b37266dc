// The only source that the build tells a path to, so that a change of place recompiles nothing
// else.
namespace muster::classic {

const char* plugin_file();
const char* plugin_file() { return CLASSIC_PLUGIN_FILE; }

}  // namespace muster::classic
