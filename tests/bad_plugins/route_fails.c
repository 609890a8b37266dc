/* Broken: it cannot parse any body. */
#include "protocol_fixture.h"

static muster_code route(void* self, const muster_request* request, const muster_route_sink* out) {
  (void)self, (void)request, (void)out;
  return MUSTER_INVALID_ARGUMENT;
}

FIXTURE_PROTOCOL(route, fixture_refuse, fixture_replay, fixture_decide)
