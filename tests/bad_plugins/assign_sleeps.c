/* Broken: it takes five seconds, and is right then. */
#include "fixture.h"

#include <unistd.h>

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  unsigned left = 5;
  while (left != 0) left = sleep(left);
  return fixture_assign(self, view, out, error);
}

FIXTURE_ASSIGNOR(assign)
