/* Broken: it gives every partition to member 0, whether it subscribes or not. */
#include "fixture.h"

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  const uint32_t member = 0;
  uint32_t partition;
  (void)self, (void)error;
  if (view->topic_count == 0 || view->member_count == 0) return MUSTER_OK;
  for (partition = 0; partition < view->topic_first[view->topic_count]; ++partition) {
    out->assign(out->self, partition, 1, &member);
  }
  return MUSTER_OK;
}

FIXTURE_ASSIGNOR(assign)
