/* Broken: it always fails, and says why. */
#include "fixture.h"

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  (void)self, (void)view, (void)out;
  error->error(error->self, fixture_str("no assignment today"));
  return MUSTER_UNAVAILABLE;
}

FIXTURE_ASSIGNOR(assign)
