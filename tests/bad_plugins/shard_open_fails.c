/* Broken: it opens no shard. */
#include "protocol_fixture.h"

static void* shard_open(void* self, const muster_shard* shard, const muster_error_sink* error) {
  (void)self, (void)shard;
  error->error(error->self, fixture_str("no shard today"));
  return NULL;
}

static const muster_group_protocol_v1 table = {
    .struct_size = sizeof table,
    .apis = fixture_apis,
    .api_count = 1,
    .types = fixture_types,
    .type_count = 1,
    .shard_space = "groups",
    .create = fixture_create,
    .destroy = fixture_destroy,
    .route = fixture_route,
    .refuse = fixture_refuse,
    .shard_open = shard_open,
    .shard_close = fixture_shard_close,
    .replay = fixture_replay,
    .decide = fixture_decide,
};
FIXTURE_PLUGIN(MUSTER_IFACE_GROUP_PROTOCOL, &table)
