/* Broken: its entry reads through a null pointer. */
#include "fixture.h"

static const muster_partition_assignor_v1 table = {sizeof table, fixture_create, fixture_destroy,
                                                   fixture_assign};
static const muster_export exports[] = {FIXTURE_EXPORT(MUSTER_IFACE_PARTITION_ASSIGNOR, &table)};

MUSTER_EXPORT const muster_plugin* muster_plugin_entry(uint32_t host_abi_major) {
  static const volatile int* volatile nowhere = NULL;
  static const muster_plugin plugin = {sizeof plugin, MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, 1,
                                       FIXTURE_ID,    "0.1.0",          "Apache-2.0",     exports};
  if (*nowhere == 1) return NULL;
  (void)host_abi_major;
  return &plugin;
}
