/* What a [shard] slot hands back: everything that it wants to happen. */
#ifndef MUSTER_ABI_DECISION_H
#define MUSTER_ABI_DECISION_H

#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a slot wants to happen. The host's; valid during the call only, on its thread. Nothing
 * happens before the slot returns MUSTER_OK; otherwise all of it is dropped. A decide that neither
 * answers, parks, says no response, closes nor hands on failed. Order: records and notes are
 * replayed, then timers, parks, offloads and answers count; calls start, and answers leave, when
 * the batch is durable.
 *
 * Answering twice: the last answer counts, what an earlier one shared is released; an answer counts
 * before a park, in whichever order they came. Answers in slots without a request are dropped. No
 * call fails: what the host cannot take (records of a type that nobody claims, a batch larger than
 * the store's max_batch_bytes) fails the whole decision after the slot. */
typedef struct muster_decision {
  uint32_t struct_size;
  void* self;
  /* The key starts with its type and its shard key. value.data NULL = tombstone. Copied. */
  void (*record)(void* self, muster_bytes key, muster_bytes value);
  /* As record, but of this plugin only and in any form; gone after a reload. Copied. */
  void (*note)(void* self, muster_bytes key, muster_bytes value);
  void (*respond)(void* self, muster_bytes body); /* copied */
  /* The array is copied, what its parts point to is not: it lives until release(owner). */
  void (*respond_shared)(void* self, const muster_bytes* parts, uint32_t count,
                         muster_release release, void* owner);
  void (*no_response)(void* self);                           /* acks=0 */
  void (*close_connection)(void* self, uint64_t connection); /* after what was answered before */
  /* Keeps the request open. token: unique in (plugin, shard), one in use fails the decide; the
   * request's id is a good one. deadline_ms counts from now, 0 = none; at it on_expired is called.
   * Outside decide, for a token that is parked: renews its deadline, else ignored. */
  void (*park)(void* self, uint64_t token, uint32_t deadline_ms);
  /* Answers a parked request of this plugin; copied. A token that is gone: ignored. */
  void (*complete)(void* self, uint64_t token, muster_bytes body);
  void (*complete_shared)(void* self, uint64_t token, const muster_bytes* parts, uint32_t count,
                          muster_release release, void* owner);
  /* Calls on_timer(key) after_ms from now or later; replaces the plugin's timer of that key. */
  void (*timer)(void* self, muster_str key, uint32_t after_ms);
  void (*cancel)(void* self, muster_str key);
  /* kind: "work/NAME" for the plugin's own work slot, or an assignor interface id, a blank and the
   * assignor's name. epoch is the plugin's own and comes back in on_task. While one of the same key
   * runs, asking again means "once more afterwards". */
  void (*offload)(void* self, muster_str key, uint64_t epoch, muster_str kind);
  /* A Kafka request through the host's own dispatch; the answer comes to on_reply. as_host 0: in
   * the caller's name (in slots without a caller: the host's). token: as park's, of its own kind.
   * It cannot be cancelled. Copied. */
  void (*call)(void* self, uint64_t token, int32_t as_host, int16_t api_key, int16_t version,
               muster_bytes body);
  /* In decide, as an answer: the API's creator decides this request instead, as if the owner of the
   * id did not claim the API (request.owner names it). What else this decision holds is dropped.
   * The creator itself must not. */
  void (*hand_on)(void* self);
} muster_decision;

#ifdef __cplusplus
}
#endif
#endif
