/* Broken: it needs a symbol that nobody has, so that loading it fails. */
#include "fixture.h"

extern int fixture_symbol_that_nobody_has(void);

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  if (fixture_symbol_that_nobody_has() != 0) return MUSTER_INTERNAL;
  return fixture_assign(self, view, out, error);
}

FIXTURE_ASSIGNOR(assign)
