/* Broken: its entry serves no host. */
#include "fixture.h"

MUSTER_EXPORT const muster_plugin* muster_plugin_entry(uint32_t host_abi_major) {
  (void)host_abi_major;
  return NULL;
}
