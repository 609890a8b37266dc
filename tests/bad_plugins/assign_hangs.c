/* Broken: it never returns. */
#include "fixture.h"

#include <unistd.h>

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  (void)self, (void)view, (void)out, (void)error;
  while (pause() != 0) continue;
  return MUSTER_INTERNAL;
}

FIXTURE_ASSIGNOR(assign)
