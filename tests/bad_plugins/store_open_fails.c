/* Broken: it opens no space. */
#include "fixture.h"

static muster_code store_open(void* self, muster_str space, uint32_t shards,
                              const muster_store_events* events, const muster_error_sink* error) {
  (void)self, (void)space, (void)shards, (void)events;
  error->error(error->self, fixture_str("the space was made with 7 shards"));
  return MUSTER_INVALID_ARGUMENT;
}

static muster_code store_load(void* self, muster_str space, uint32_t shard, uint64_t epoch,
                              const muster_record_sink* out, const muster_error_sink* error) {
  (void)self, (void)space, (void)shard, (void)epoch, (void)out, (void)error;
  return MUSTER_OK;
}

static void store_commit(void* self, muster_str space, uint32_t shard, uint64_t epoch,
                         uint64_t sequence, const muster_record* records, uint32_t count,
                         void (*done)(void* owner, muster_code code), void* owner) {
  (void)self, (void)space, (void)shard, (void)epoch, (void)sequence, (void)records, (void)count;
  done(owner, MUSTER_OK);
}

static muster_code store_owner(void* self, muster_str space, uint32_t shard,
                               const muster_bytes_sink* out) {
  (void)self, (void)space, (void)shard, (void)out;
  return MUSTER_OK;
}

static const muster_store_v1 table = {
    sizeof table, 1 << 20,    fixture_create, fixture_destroy,
    store_open,   store_load, store_commit,   store_owner,
};
FIXTURE_PLUGIN(MUSTER_IFACE_STORE, &table)
