/* Broken: first + count wraps around. */
#include "fixture.h"

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  const uint32_t members[2] = {0, 0};
  const muster_code code = fixture_assign(self, view, out, error);
  out->assign(out->self, UINT32_MAX, 2, members);
  return code;
}

FIXTURE_ASSIGNOR(assign)
