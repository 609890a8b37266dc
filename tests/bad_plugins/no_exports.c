/* Broken: it offers nothing. */
#include "fixture.h"

MUSTER_EXPORT const muster_plugin* muster_plugin_entry(uint32_t host_abi_major) {
  static const muster_plugin plugin = {sizeof plugin, MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, 0,
                                       FIXTURE_ID,    "0.1.0",          "Apache-2.0",     NULL};
  (void)host_abi_major;
  return &plugin;
}
