/* Broken: it returns a code that does not exist. */
#include "fixture.h"

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  (void)fixture_assign(self, view, out, error);
  return 77;
}

FIXTURE_ASSIGNOR(assign)
