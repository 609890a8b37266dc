/* Broken: it reads through a null pointer. */
#include "fixture.h"

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  static const volatile int* volatile nowhere = NULL;
  return *nowhere == 1 ? MUSTER_INTERNAL : fixture_assign(self, view, out, error);
}

FIXTURE_ASSIGNOR(assign)
