/* Broken: it answers one request twice. */
#include "protocol_fixture.h"

static muster_code decide(void* shard, const muster_request* request,
                          const muster_decision* decision, const muster_error_sink* error) {
  decision->respond(decision->self, fixture_bytes("first"));
  return fixture_decide(shard, request, decision, error);
}

FIXTURE_PROTOCOL(fixture_route, fixture_refuse, fixture_replay, decide)
