/* Broken: it emits a record and an answer, and then fails. */
#include "protocol_fixture.h"

static muster_code decide(void* shard, const muster_request* request,
                          const muster_decision* decision, const muster_error_sink* error) {
  (void)shard;
  fixture_record(request, decision);
  decision->respond(decision->self, fixture_bytes("must not be seen"));
  error->error(error->self, fixture_str("decided not to"));
  return MUSTER_INTERNAL;
}

FIXTURE_PROTOCOL(fixture_route, fixture_refuse, fixture_replay, decide)
