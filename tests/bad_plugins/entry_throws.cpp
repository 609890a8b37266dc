// Broken: its entry throws.
#include "fixture.h"

#include <stdexcept>

const muster_plugin* muster_plugin_entry(std::uint32_t) {
  throw std::runtime_error("thrown by the entry");
}
