/* Broken: it gives every partition to its first subscriber and then to its last. */
#include "fixture.h"

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  uint32_t topic;
  const muster_code code = fixture_assign(self, view, out, error);
  for (topic = 0; topic < view->topic_count; ++topic) {
    const uint32_t member = fixture_subscriber(view, topic, view->member_count - 1);
    out->assign(out->self, view->topic_first[topic], 1, &member);
  }
  return code;
}

FIXTURE_ASSIGNOR(assign)
