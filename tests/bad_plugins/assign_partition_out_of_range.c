/* Broken: it names a partition that does not exist. */
#include "fixture.h"

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  const uint32_t member = 0;
  const uint32_t beyond = view->topic_count == 0 ? 0 : view->topic_first[view->topic_count];
  const muster_code code = fixture_assign(self, view, out, error);
  out->assign(out->self, beyond, 1, &member);
  return code;
}

FIXTURE_ASSIGNOR(assign)
