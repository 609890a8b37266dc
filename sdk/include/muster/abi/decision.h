/* What a [shard] slot hands back: everything that it wants to happen. */
#ifndef MUSTER_ABI_DECISION_H
#define MUSTER_ABI_DECISION_H

#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a slot wants to happen. The host's; valid during the call only. Nothing happens before the
 * slot returns MUSTER_OK; otherwise all of it is dropped. A decide that neither answers, parks,
 * says no response nor closes failed. Order: records and notes are replayed, then timers, parks,
 * offloads and answers count; calls start, and answers leave, when the batch is durable. */
typedef struct muster_decision {
  uint32_t struct_size;
  void* self;
  /* value.data NULL = tombstone; copied */
  void (*record)(void* self, muster_bytes key, muster_bytes value);
  /* as record, gone after a reload */
  void (*note)(void* self, muster_bytes key, muster_bytes value);
  void (*respond)(void* self, muster_bytes body); /* copied */
  void (*respond_shared)(void* self, const muster_bytes* parts, uint32_t count,
                         muster_release release, void* owner);
  void (*no_response)(void* self);                           /* acks=0 */
  void (*close_connection)(void* self, uint64_t connection); /* after what was answered before */
  /* Keeps the request open. token: unique in (plugin, shard). deadline_ms 0 = none; at it
   * on_expired is called. Outside decide, for a token that is parked: renews its deadline. */
  void (*park)(void* self, uint64_t token, uint32_t deadline_ms);
  /* a token that is gone: ignored */
  void (*complete)(void* self, uint64_t token, muster_bytes body);
  void (*complete_shared)(void* self, uint64_t token, const muster_bytes* parts, uint32_t count,
                          muster_release release, void* owner);
  void (*timer)(void* self, muster_str key, uint32_t after_ms); /* replaces the timer of that key */
  void (*cancel)(void* self, muster_str key);
  /* kind: "work/NAME" for the plugin's own work slot, or an assignor interface id, a blank and the
   * assignor's name. While one of the same key runs, asking again means "once more afterwards". */
  void (*offload)(void* self, muster_str key, uint64_t epoch, muster_str kind);
  /* A Kafka request through the host's own dispatch; the answer comes to on_reply. as_host 0: in
   * the caller's name (in slots without a caller: the host's). */
  void (*call)(void* self, uint64_t token, int32_t as_host, int16_t api_key, int16_t version,
               muster_bytes body);
} muster_decision;

#ifdef __cplusplus
}
#endif
#endif
