/* Broken: it cannot read the records that it writes. */
#include "protocol_fixture.h"

static muster_code replay(void* shard, uint64_t sequence, int32_t kind, muster_bytes key,
                          muster_bytes value, const muster_directory* directory) {
  (void)shard, (void)sequence, (void)kind, (void)key, (void)value, (void)directory;
  return MUSTER_CORRUPT;
}

FIXTURE_PROTOCOL(fixture_route, fixture_refuse, replay, fixture_decide)
