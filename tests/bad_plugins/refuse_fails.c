/* Broken: its decide fails, and it cannot say no either. */
#include "protocol_fixture.h"

static muster_code refuse(void* self, const muster_request* request, int16_t kafka_error,
                          muster_str why, const muster_bytes_sink* out) {
  (void)self, (void)request, (void)kafka_error, (void)why, (void)out;
  return MUSTER_INTERNAL;
}

static muster_code decide(void* shard, const muster_request* request,
                          const muster_decision* decision, const muster_error_sink* error) {
  (void)shard, (void)request, (void)decision, (void)error;
  return MUSTER_INTERNAL;
}

FIXTURE_PROTOCOL(fixture_route, refuse, fixture_replay, decide)
