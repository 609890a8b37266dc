// Broken: assign throws, with no barrier around it.
#include "fixture.h"

#include <stdexcept>

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  (void)self, (void)view, (void)out, (void)error;
  throw std::runtime_error("thrown by assign");
}

FIXTURE_ASSIGNOR(assign)
