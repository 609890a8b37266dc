/* A working group protocol for fixtures to break: a private API 1000 whose whole body is a group
 * id; each request stores one record (type 0x4000, group) and is answered "ok". */
#ifndef MUSTER_BAD_PLUGINS_PROTOCOL_FIXTURE_H
#define MUSTER_BAD_PLUGINS_PROTOCOL_FIXTURE_H

#include "fixture.h"

#define FIXTURE_API 1000
#define FIXTURE_RECORD 0x4000

static const muster_api_claim fixture_apis[] = {
    {FIXTURE_API, 0, 0, INT16_MAX, MUSTER_SCOPE_GROUP, 1}};
static const muster_type_claim fixture_types[] = {{FIXTURE_RECORD, FIXTURE_RECORD}};

/* Takes the group protocol's parts that a fixture does not break. */
#define FIXTURE_PROTOCOL(route_slot, refuse_slot, replay_slot, decide_slot)    \
  static const muster_group_protocol_v1 fixture_table = {sizeof fixture_table, \
                                                         fixture_apis,         \
                                                         1,                    \
                                                         fixture_types,        \
                                                         1,                    \
                                                         "groups",             \
                                                         fixture_create,       \
                                                         fixture_destroy,      \
                                                         route_slot,           \
                                                         NULL,                 \
                                                         refuse_slot,          \
                                                         NULL,                 \
                                                         NULL,                 \
                                                         fixture_shard_open,   \
                                                         fixture_shard_close,  \
                                                         replay_slot,          \
                                                         NULL,                 \
                                                         decide_slot,          \
                                                         NULL,                 \
                                                         NULL,                 \
                                                         NULL,                 \
                                                         NULL,                 \
                                                         NULL,                 \
                                                         NULL,                 \
                                                         NULL,                 \
                                                         NULL,                 \
                                                         NULL,                 \
                                                         NULL};                \
  FIXTURE_PLUGIN(MUSTER_IFACE_GROUP_PROTOCOL, &fixture_table)

static inline void* fixture_shard_open(void* self, const muster_shard* shard,
                                       const muster_error_sink* error) {
  (void)self, (void)shard, (void)error;
  return &fixture_object;
}

static inline void fixture_shard_close(void* shard) { (void)shard; }

static inline muster_code fixture_route(void* self, const muster_request* request,
                                        const muster_route_sink* out) {
  muster_str key;
  (void)self;
  key.data = (const char*)request->body.data;
  key.size = request->body.size;
  out->key(out->self, key);
  return MUSTER_OK;
}

static inline muster_code fixture_refuse(void* self, const muster_request* request,
                                         int16_t kafka_error, muster_str why,
                                         const muster_bytes_sink* out) {
  (void)self, (void)request, (void)kafka_error, (void)why;
  out->bytes(out->self, fixture_bytes("no"));
  return MUSTER_OK;
}

static inline muster_code fixture_replay(void* shard, uint64_t sequence, int32_t kind,
                                         muster_bytes key, muster_bytes value,
                                         const muster_directory* directory) {
  (void)shard, (void)sequence, (void)kind, (void)key, (void)value, (void)directory;
  return MUSTER_OK;
}

/* Emits the record: type, then the group id as a Kafka string, value "1". */
static inline void fixture_record(const muster_request* request, const muster_decision* decision) {
  uint8_t key[4 + 256];
  muster_bytes out;
  const size_t size = request->body.size < 256 ? request->body.size : 256;
  key[0] = FIXTURE_RECORD >> 8;
  key[1] = FIXTURE_RECORD & 0xff;
  key[2] = (uint8_t)(size >> 8);
  key[3] = (uint8_t)(size & 0xff);
  if (size != 0) memcpy(key + 4, request->body.data, size);
  out.data = key;
  out.size = 4 + size;
  decision->record(decision->self, out, fixture_bytes("1"));
}

static inline muster_code fixture_decide(void* shard, const muster_request* request,
                                         const muster_decision* decision,
                                         const muster_error_sink* error) {
  (void)shard, (void)error;
  fixture_record(request, decision);
  decision->respond(decision->self, fixture_bytes("ok"));
  return MUSTER_OK;
}

#endif
