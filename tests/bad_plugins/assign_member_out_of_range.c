/* Broken: it names a member that does not exist. */
#include "fixture.h"

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  const uint32_t member = view->member_count;
  if (view->topic_count != 0) out->assign(out->self, 0, 1, &member);
  return view->topic_count != 0 ? MUSTER_OK : fixture_assign(self, view, out, error);
}

FIXTURE_ASSIGNOR(assign)
