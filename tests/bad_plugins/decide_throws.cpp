// Broken: decide throws, with no barrier around it.
#include "protocol_fixture.h"

#include <stdexcept>

static muster_code decide(void* shard, const muster_request* request,
                          const muster_decision* decision, const muster_error_sink* error) {
  (void)shard, (void)error;
  fixture_record(request, decision);
  throw std::runtime_error("thrown by decide");
}

FIXTURE_PROTOCOL(fixture_route, fixture_refuse, fixture_replay, decide)
