/* Broken: create reads through a null pointer. */
#include "fixture.h"

static void* create(const muster_host* host, const muster_options* options,
                    const muster_error_sink* error) {
  static const volatile int* volatile nowhere = NULL;
  (void)host, (void)options, (void)error;
  return *nowhere == 1 ? NULL : &fixture_object;
}

static const muster_partition_assignor_v1 table = {sizeof table, create, fixture_destroy,
                                                   fixture_assign};
FIXTURE_PLUGIN(MUSTER_IFACE_PARTITION_ASSIGNOR, &table)
