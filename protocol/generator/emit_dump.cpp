#include "emit.hpp"
namespace muster::generator { std::string emit_dump(const std::vector<Message>&, const std::string&) { return ""; } }
