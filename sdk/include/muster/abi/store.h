/* muster.store/1: durable keys and values per shard. Promises: docs/border.md. */
#ifndef MUSTER_ABI_STORE_H
#define MUSTER_ABI_STORE_H

#include "group_protocol.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MUSTER_IFACE_STORE "muster.store/1"

/* [any] Ownership of shards; good until destroy. A local store gains all at open, with an epoch
 * above any before. */
typedef struct muster_store_events {
  uint32_t struct_size;
  void* self;
  void (*gained)(void* self, muster_str space, uint32_t shard, uint64_t epoch);
  void (*lost)(void* self, muster_str space, uint32_t shard);
} muster_store_events;

typedef struct muster_store_v1 {
  uint32_t struct_size;
  uint64_t max_batch_bytes; /* of keys and values in one commit */
  /* [control] */
  void* (*create)(const muster_host* host, const muster_options* options,
                  const muster_error_sink* error);
  void (*destroy)(void* self); /* [control] after it no completion comes */
  /* [control] Refuses another number of shards than the space was made with. */
  muster_code (*open)(void* self, muster_str space, uint32_t shards,
                      const muster_store_events* events, const muster_error_sink* error);
  /* [worker] Every live key once, with the sequence of its last commit, ascending. Nothing of an
   * earlier commit lands after it. Several shards at once, one shard never twice at once. */
  muster_code (*load)(void* self, muster_str space, uint32_t shard, uint64_t epoch,
                      const muster_record_sink* out, const muster_error_sink* error);
  /* [any] Never two at once for one shard. Atomic, in call order per shard, acknowledged when
   * durable, perhaps before it returns. Records are copied; record i has sequence + i. After a
   * failed one all of the shard fail until its next load; an older epoch is MUSTER_FENCED, for
   * ever. done: once, from any thread. */
  void (*commit)(void* self, muster_str space, uint32_t shard, uint64_t epoch, uint64_t sequence,
                 const muster_record* records, uint32_t count,
                 void (*done)(void* owner, muster_code code), void* owner);
  /* [pure] "host:port" that FindCoordinator answers with; nothing written: this host. */
  muster_code (*owner)(void* self, muster_str space, uint32_t shard, const muster_bytes_sink* out);
} muster_store_v1;

#ifdef __cplusplus
}
#endif
#endif
