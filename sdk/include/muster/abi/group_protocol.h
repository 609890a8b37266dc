/* muster.group-protocol/1: the state machine of one group type. What each slot means in full:
 * docs/border.md.
 *
 * decide reads, replay writes. Every slot that gets a muster_decision only reads the plugin's state
 * and fills the decision; memory changes in `replay`, by records (stored) and notes (not stored),
 * in emission order. */
#ifndef MUSTER_ABI_GROUP_PROTOCOL_H
#define MUSTER_ABI_GROUP_PROTOCOL_H

#include "decision.h"
#include "host.h"
#include "partition_assignor.h"
#include "request.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MUSTER_IFACE_GROUP_PROTOCOL "muster.group-protocol/1"

/* Given to replay only, good until it returns: the one place where ownership of a group id changes.
 * own fails if another plugin owns it, and so must the replay; owning or disowning twice is fine.
 */
typedef struct muster_directory {
  uint32_t struct_size;
  void* self;
  muster_code (*own)(void* self, muster_str group);
  void (*disown)(void* self, muster_str group);
} muster_directory;

struct muster_group_facet_v1;

/* The owner of a group id: its facet, the object for the facet's first argument, and a decision of
 * the owner's that fills the caller's batch (NULL outside slots that have a decision). Grows at the
 * tail. */
typedef struct muster_group_owner {
  uint32_t struct_size;
  muster_str name; /* the plugin's definition name: "consumer" */
  const struct muster_group_facet_v1* facet;
  void* shard;
  const muster_decision* decision;
} muster_group_owner;

/* What a shard object may ask. The table lives from shard_open to shard_close; its slots may be
 * called in [shard] slots of that shard only, on their thread. What they return lives until the
 * slot returns. */
typedef struct muster_shard {
  uint32_t struct_size;
  void* self;
  uint32_t shard, shard_count;
  int64_t (*now_ms)(void* self); /* since 1970; wall clock, constant during a slot */
  const muster_metadata_view* (*metadata)(void* self); /* constant during a slot */
  /* MUSTER_OK and filled as far as out->struct_size says, which the caller sets; or
   * MUSTER_UNAVAILABLE: nobody owns the id. */
  muster_code (*find_group)(void* self, muster_str group, muster_group_owner* out);
  /* Every owned id of this shard in ascending order. */
  void (*each_group)(void* self, void* arg,
                     void (*visit)(void* arg, muster_str group, const muster_group_owner* owner));
} muster_shard;

/* Frozen layout. */
typedef struct muster_topic_partition {
  muster_uuid topic_id;
  muster_str topic;
  int32_t partition;
} muster_topic_partition;

/* A commit that asks whether it may. The offsets live elsewhere; only who commits what matters
 * here. */
typedef struct muster_commit {
  uint32_t struct_size;
  int16_t api_key, version; /* OffsetCommit or TxnOffsetCommit: they are judged differently */
  muster_str group, member, instance; /* instance.data NULL = none */
  int32_t epoch;                      /* generation or member epoch */
  const muster_topic_partition* partitions;
  uint32_t partition_count;
} muster_commit;

typedef struct muster_listed_sink {
  uint32_t struct_size;
  void* self;
  /* once; as ListGroups writes them: "consumer", "consumer", "Stable" */
  void (*listed)(void* self, muster_str type, muster_str protocol_type, muster_str state);
} muster_listed_sink;

#define MUSTER_EXPIRES_NEVER 0
#define MUSTER_EXPIRES_FROM_COMMIT 1 /* retention counts from the commit */
#define MUSTER_EXPIRES_FROM_TIME 2   /* retention counts from `from_ms` */

/* The group facet: what cross-cutting APIs ask the owner of a group id. All [shard], called from
 * within a slot of the plugin that asks; they read, and emit only where they get a decision; they
 * call no host service but clock, options, metadata and the log, and no other facet. No slot may be
 * NULL. Failing: a code that is not MUSTER_OK, or Kafka's UNKNOWN_SERVER_ERROR (-1). */
typedef struct muster_group_facet_v1 {
  uint32_t struct_size;
  muster_code (*describe_listed)(void* shard, muster_str group, const muster_listed_sink* out);
  /* Fills errors[partition_count] with Kafka errors, all 0 = may. The decision is for what a commit
   * renews. */
  muster_code (*check_commit)(void* shard, const muster_commit* commit, int16_t* errors,
                              const muster_decision* decision);
  /* -> Kafka error, 0 = may. member.data NULL: not asked by a member. */
  int16_t (*check_fetch)(void* shard, muster_str group, muster_str member, int32_t epoch);
  int32_t (*subscribes)(void* shard, muster_str group, muster_str topic); /* -> 1 or 0 */
  /* Deletes the group if it may be deleted: emits its tombstones and returns 0, or returns a Kafka
   * error. */
  int16_t (*remove)(void* shard, muster_str group, const muster_decision* decision);
  /* Whether the group's offsets expire: -> MUSTER_EXPIRES_...; from_ms: since 1970, with
   * MUSTER_EXPIRES_FROM_TIME; unsubscribed_only 1: only of topics it does not subscribe. */
  int32_t (*expires)(void* shard, muster_str group, int64_t* from_ms, int32_t* unsubscribed_only);
  /* The group as its own records, as if written now; completes its waiting joins and syncs through
   * the decision, even if the conversion that asked is then refused. */
  muster_code (*export_group)(void* shard, muster_str group, const muster_decision* decision,
                              const muster_record_sink* out);
} muster_group_facet_v1;

/* muster_topic_change.what */
#define MUSTER_TOPIC_CREATED 1
#define MUSTER_TOPIC_CHANGED 2 /* partitions or racks */
#define MUSTER_TOPIC_DELETED 3

/* Frozen layout. */
typedef struct muster_topic_change {
  muster_str name;
  muster_uuid id;
  int32_t what;
} muster_topic_change;

/* Takes the input of an offload, copied; the offload's `kind` says which one to call, once. */
typedef struct muster_input_sink {
  uint32_t struct_size;
  void* self;
  void (*bytes)(void* self, muster_bytes input); /* "work/..." */
  /* partition assignors */
  void (*partitions)(void* self, const muster_partition_assignor_view* view);
} muster_input_sink;

/* Where a record goes in its mirror topic; not called: nowhere. */
typedef struct muster_mirror_sink {
  uint32_t struct_size;
  void* self;
  void (*record)(void* self, muster_str topic, muster_str partition_key, muster_bytes key,
                 muster_bytes value);
} muster_mirror_sink;

/* What a `call` brought. The parts live until the slot returns, or, once retained, until
 * release(retain(self)), each retain with a release of its own: so that record batches can go on to
 * a client by complete_shared without a copy. */
typedef struct muster_reply {
  uint32_t struct_size;
  int16_t kafka_error;       /* 0, or REQUEST_TIMED_OUT / NETWORK_EXCEPTION where no answer came */
  const muster_bytes* parts; /* the answer's body */
  uint32_t part_count;
  void* self;
  void* (*retain)(void* self); /* [shard] -> owner for `release` */
  muster_release release;      /* [any] */
} muster_reply;

#define MUSTER_REPLAY_RECORD 0
#define MUSTER_REPLAY_NOTE 1

#define MUSTER_DIGEST_DURABLE 0 /* must be equal after a reload */
#define MUSTER_DIGEST_NOTED 1

/* Slots marked (optional) may be NULL. `self` is what create returned, `shard` what shard_open
 * returned; NULL from either is a failure. What failing means slot by slot: docs/border.md. */
typedef struct muster_group_protocol_v1 {
  uint32_t struct_size;
  const muster_api_claim* apis;
  uint32_t api_count;
  const muster_type_claim* types;
  uint32_t type_count;
  const char* shard_space; /* "groups" or "transactions": whose shards it lives in */

  /* [control] */
  void* (*create)(const muster_host* host, const muster_options* options,
                  const muster_error_sink* error);
  void (*destroy)(void* self); /* [control] after all its shards are closed */

  /* Three [pure] slots about bodies, called for APIs of scope group on their creator. A body that
   * route cannot parse (MUSTER_INVALID_ARGUMENT) closes the connection. */
  muster_code (*route)(void* self, const muster_request* request, const muster_route_sink* out);
  /* [pure] (optional) Folds the parts' answers in part order; never called for one part. */
  muster_code (*join)(void* self, const muster_request* request, const muster_bytes* parts,
                      uint32_t count, const muster_bytes_sink* out);
  /* [pure] The body that says no. */
  muster_code (*refuse)(void* self, const muster_request* request, int16_t kafka_error,
                        muster_str why, const muster_bytes_sink* out);

  /* [worker] (optional) Sees its input and nothing that shards change. */
  muster_code (*work)(void* self, muster_str kind, muster_bytes input, const muster_bytes_sink* out,
                      const muster_error_sink* error);
  /* [pure] (optional, then: as it is) What the record is in its topic. */
  muster_code (*mirror)(void* self, muster_bytes key, muster_bytes value,
                        const muster_mirror_sink* out);

  /* [worker] Once a life of a shard, several shards at once: it must not change self. */
  void* (*shard_open)(void* self, const muster_shard* shard, const muster_error_sink* error);
  void (*shard_close)(void* shard); /* [shard] */

  /* [shard] The only writer. At load in ascending sequence. kind: MUSTER_REPLAY_RECORD or _NOTE;
   * value.data NULL = tombstone. An unknown key or version is MUSTER_CORRUPT. sequence is the
   * record's; a note carries that of the newest record. */
  muster_code (*replay)(void* shard, uint64_t sequence, int32_t kind, muster_bytes key,
                        muster_bytes value, const muster_directory* directory);

  /* [shard] From here on all read, and only read. */
  /* (optional) */
  muster_code (*on_loaded)(void* shard, const muster_decision* decision,
                           const muster_error_sink* error);
  muster_code (*decide)(void* shard, const muster_request* request, const muster_decision* decision,
                        const muster_error_sink* error);
  /* (optional) Late perhaps, never early. */
  muster_code (*on_timer)(void* shard, muster_str key, const muster_decision* decision,
                          const muster_error_sink* error);
  /* park's deadline: complete or renew, else the host refuses with REQUEST_TIMED_OUT. (optional) */
  muster_code (*on_expired)(void* shard, uint64_t token, const muster_decision* decision,
                            const muster_error_sink* error);
  /* (optional) After the records of the decision that offloaded were replayed. */
  muster_code (*task_input)(void* shard, muster_str key, uint64_t epoch, muster_str kind,
                            const muster_input_sink* out);
  /* (optional) outcome: how the work went. result: work's bytes, or a muster_partition_assignment
   * (its pointers live until the slot returns); empty if outcome is not MUSTER_OK. */
  muster_code (*on_task)(void* shard, muster_str key, uint64_t epoch, muster_str kind,
                         muster_code outcome, muster_bytes result, const muster_decision* decision,
                         const muster_error_sink* error);
  /* (optional) The answer to a call, once for each. */
  muster_code (*on_reply)(void* shard, uint64_t token, const muster_reply* reply,
                          const muster_decision* decision, const muster_error_sink* error);
  /* (optional) After the view changed; muster_shard.metadata is the same view. */
  muster_code (*on_metadata)(void* shard, const muster_metadata_view* metadata,
                             const muster_topic_change* changes, uint32_t count,
                             const muster_decision* decision, const muster_error_sink* error);
  /* (optional) To the shards that saw the connection, after its queued requests. */
  muster_code (*on_disconnect)(void* shard, uint64_t connection, const muster_decision* decision,
                               const muster_error_sink* error);
  /* (optional) The group changed hands in this batch: mine 0, finish what is parked; mine 1, arm
   * timers. */
  muster_code (*on_owner)(void* shard, muster_str group, int32_t mine,
                          const muster_decision* decision, const muster_error_sink* error);
  const muster_group_facet_v1* facet; /* NULL: owns no groups */
  /* [shard] (optional) reads */
  muster_code (*digest)(void* shard, int32_t part, const muster_bytes_sink* out);
} muster_group_protocol_v1;

#ifdef __cplusplus
}
#endif
#endif
