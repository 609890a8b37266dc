/* Broken: its entry never returns. */
#include "fixture.h"

#include <unistd.h>

MUSTER_EXPORT const muster_plugin* muster_plugin_entry(uint32_t host_abi_major) {
  while (host_abi_major != UINT32_MAX) sleep(3600);
  return NULL;
}
