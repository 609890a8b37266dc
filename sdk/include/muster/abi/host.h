/* What the host offers: services by id, and the context of a shard.
 *
 * Thread tags, on every slot of every table:
 *   [pure]    any thread, any time, reads only immutable state
 *   [control] one at a time per instance, may block
 *   [shard]   never concurrent per shard, must not block; may hop OS threads between calls
 *             (no thread_local state)
 *   [worker]  pool thread, immutable inputs, may be slow
 *   [any]     any thread, concurrently, must not block
 * Services never block and never fail but where they return a muster_code. */
#ifndef MUSTER_ABI_HOST_H
#define MUSTER_ABI_HOST_H

#include "options.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct muster_host {
  uint32_t struct_size;
  uint32_t abi_major, abi_minor;
  const char* version;
  void* self;
  /* [pure] A service table, or NULL if this host does not offer it. Lives as long as the host. */
  const void* (*get_service)(void* self, muster_str id);
} muster_host;

#define MUSTER_SERVICE_LOG "muster.log/1"
#define MUSTER_LOG_DEBUG 0
#define MUSTER_LOG_INFO 1
#define MUSTER_LOG_WARN 2
#define MUSTER_LOG_ERROR 3
typedef struct muster_log_v1 {
  uint32_t struct_size;
  void* self;
  void (*write)(void* self, int32_t level, muster_str message); /* [any] */
  int32_t (*enabled)(void* self, int32_t level);                /* [any] */
} muster_log_v1;

/* Group protocols use muster_shard.now_ms instead: the time of the event they handle. */
#define MUSTER_SERVICE_CLOCK "muster.clock/1"
typedef struct muster_clock_v1 {
  uint32_t struct_size;
  void* self;
  int64_t (*wall_ms)(void* self);      /* [any] since 1970 */
  int64_t (*monotonic_us)(void* self); /* [any] */
} muster_clock_v1;

#define MUSTER_SERVICE_RANDOM "muster.random/1"
typedef struct muster_random_v1 {
  uint32_t struct_size;
  void* self;
  void (*fill)(void* self, uint8_t* out, size_t size); /* [any]; from the seed in simulation */
} muster_random_v1;

/* labels: "state=Empty,type=consumer", or empty. A handle is good for the life of the process;
 * asking twice gives the same one. */
#define MUSTER_SERVICE_METRICS "muster.metrics/1"
typedef struct muster_metrics_v1 {
  uint32_t struct_size;
  void* self;
  int32_t (*counter)(void* self, muster_str name, muster_str help, muster_str labels); /* [any] */
  int32_t (*gauge)(void* self, muster_str name, muster_str help, muster_str labels);   /* [any] */
  void (*add)(void* self, int32_t handle, double by); /* [any]; gauges may go down */
} muster_metrics_v1;

/* Kafka's own numbers: AclOperation (READ 3, WRITE 4, CREATE 5, DELETE 6, ALTER 7, DESCRIBE 8, ...)
 * and ResourceType (TOPIC 2, GROUP 3, CLUSTER 4, TRANSACTIONAL_ID 5). */
#define MUSTER_SERVICE_AUTHORIZE "muster.authorize/1"
typedef struct muster_authorize_v1 {
  uint32_t struct_size;
  void* self;
  /* [pure] 1 allowed, 0 denied */
  int32_t (*allowed)(void* self, muster_str principal, muster_str client_host, int32_t operation,
                     int32_t resource_type, muster_str resource);
} muster_authorize_v1;

/* One topic of the metadata snapshot. `hash` is the XXH3-64 topic hash of Kafka's metadata hash.
 * Racks are sorted and distinct per partition: those of partition p are racks[rack_offsets[p]] ..
 * racks[rack_offsets[p + 1]]. */
typedef struct muster_topic {
  uint32_t struct_size;
  muster_str name;
  muster_uuid id;
  uint32_t partition_count;
  int32_t internal;
  uint64_t hash;
  const uint32_t* rack_offsets; /* partition_count + 1 */
  const muster_str* racks;
} muster_topic;

/* An immutable snapshot, [any]. It and its topics live until the slot that got it returns, or until
 * it is released. */
typedef struct muster_metadata_view {
  uint32_t struct_size;
  void* self;
  uint64_t version;
  uint32_t topic_count;
  const muster_topic* (*by_name)(void* self, muster_str name);     /* NULL: no such topic */
  const muster_topic* (*by_id)(void* self, const muster_uuid* id); /* NULL: no such topic */
  const muster_topic* (*at)(void* self, uint32_t index);           /* ascending by name */
} muster_metadata_view;

#define MUSTER_SERVICE_METADATA "muster.metadata/1"
typedef struct muster_metadata_v1 {
  uint32_t struct_size;
  void* self;
  /* [any] The snapshot of now, or NULL where there is none yet; `release` it once, on any thread.
   * Group protocols use muster_shard.metadata instead. */
  const muster_metadata_view* (*acquire)(void* self);
  void (*release)(void* self, const muster_metadata_view* view);
} muster_metadata_v1;

/* Who this process is. */
#define MUSTER_SERVICE_NODE "muster.node/1"
typedef struct muster_node_v1 {
  uint32_t struct_size;
  void* self;
  int32_t (*node_id)(void* self); /* [any] */
  /* [any] The advertised address of a listener (muster_request.listener; empty = the first), once
   * it is bound; before, or where there is none of that name: MUSTER_UNAVAILABLE. */
  muster_code (*advertised)(void* self, muster_str listener, const muster_bytes_sink* host,
                            int32_t* port);
  /* [any] The owner of a shard as FindCoordinator answers it, and the epoch this process owns it at
   * (0: it does not). */
  muster_code (*owner)(void* self, muster_str space, uint32_t shard, const muster_bytes_sink* host,
                       int32_t* port, uint64_t* epoch);
  /* [any] The folder that is the asking plugin's alone, as an absolute path; it is there.
   * MUSTER_UNAVAILABLE where the host keeps nothing or cannot; then it says itself why. */
  muster_code (*data_folder)(void* self, const muster_bytes_sink* out);
} muster_node_v1;

#ifdef __cplusplus
}
#endif
#endif
