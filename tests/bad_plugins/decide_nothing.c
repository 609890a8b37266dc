/* Broken: it stores, and neither answers, parks, says no response nor closes. */
#include "protocol_fixture.h"

static muster_code decide(void* shard, const muster_request* request,
                          const muster_decision* decision, const muster_error_sink* error) {
  (void)shard, (void)error;
  fixture_record(request, decision);
  return MUSTER_OK;
}

FIXTURE_PROTOCOL(fixture_route, fixture_refuse, fixture_replay, decide)
