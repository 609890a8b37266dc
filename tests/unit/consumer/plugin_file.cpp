// The only source that the build tells a path to, so that a change of place recompiles nothing
// else.
namespace muster::consumer {

const char* plugin_file();
const char* plugin_file() { return CONSUMER_PLUGIN_FILE; }

}  // namespace muster::consumer
