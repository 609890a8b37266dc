// Where the build put what these tests read. Tests and benches only.
#pragma once

#include <string>

namespace muster::assignors {

std::string plugin_file(const std::string& name);
std::string vector_file(const std::string& name);

}  // namespace muster::assignors
