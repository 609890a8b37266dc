/* Broken: it emits a record of a type that nobody claims. */
#include "protocol_fixture.h"

static muster_code decide(void* shard, const muster_request* request,
                          const muster_decision* decision, const muster_error_sink* error) {
  static const uint8_t key[] = {0x7f, 0x7f, 0, 1, 'g'};
  const muster_bytes foreign = {key, sizeof key};
  (void)shard, (void)request, (void)error;
  decision->record(decision->self, foreign, fixture_bytes("1"));
  decision->respond(decision->self, fixture_bytes("ok"));
  return MUSTER_OK;
}

FIXTURE_PROTOCOL(fixture_route, fixture_refuse, fixture_replay, decide)
