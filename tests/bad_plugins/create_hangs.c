/* Broken: create never returns. */
#include "fixture.h"

#include <unistd.h>

static void* create(const muster_host* host, const muster_options* options,
                    const muster_error_sink* error) {
  (void)options, (void)error;
  while (host != NULL) sleep(3600);
  return NULL;
}

static const muster_partition_assignor_v1 table = {sizeof table, create, fixture_destroy,
                                                   fixture_assign};
FIXTURE_PLUGIN(MUSTER_IFACE_PARTITION_ASSIGNOR, &table)
