/* muster.broker/1: the data plane: topic metadata and its changes, and the Kafka APIs it claims. */
#ifndef MUSTER_ABI_BROKER_H
#define MUSTER_ABI_BROKER_H

#include "group_protocol.h"
#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MUSTER_IFACE_BROKER "muster.broker/1"

/* A stretch of memory or, where data is NULL, of an open file that nobody cuts shorter meanwhile.
 * Frozen layout. */
typedef struct muster_piece {
  const uint8_t* data;
  uint64_t size;
  uint64_t offset; /* in the file */
  int32_t file;    /* its descriptor */
} muster_piece;

/* One request to answer: one of these calls, once, [any]. The object is gone afterwards, so that a
 * second call is a bug that nobody can catch. */
typedef struct muster_answer {
  uint32_t struct_size;
  void* self;
  void (*body)(void* self, muster_bytes body); /* copied */
  void (*parts)(void* self, const muster_bytes* parts, uint32_t count, muster_release release,
                void* owner);
  void (*none)(void* self);  /* acks=0 */
  void (*close)(void* self); /* closes the connection */
  /* As parts; what lies in files reaches the socket without a copy. */
  void (*pieces)(void* self, const muster_piece* pieces, uint32_t count, muster_release release,
                 void* owner);
} muster_answer;

/* What changed, [any] but one call at a time, copied; good until destroy. topics[i] is the
 * topic of changes[i] in full as it is now (NULL where changes[i] is a deletion); its hash is the
 * host's to compute and 0 here. The first call, from within watch, carries every topic as created.
 */
typedef struct muster_metadata_events {
  uint32_t struct_size;
  void* self;
  void (*changed)(void* self, const muster_topic* const* topics, const muster_topic_change* changes,
                  uint32_t count);
} muster_metadata_events;

typedef struct muster_broker_v1 {
  uint32_t struct_size;
  const muster_api_claim* apis;
  uint32_t api_count;
  /* [control] */
  void* (*create)(const muster_host* host, const muster_options* options,
                  const muster_error_sink* error);
  void (*destroy)(void* self); /* [control] */
  /* As a group protocol's, [pure]; (optional, join anyway) where all APIs have scope broker, which
   * are not routed. */
  muster_code (*route)(void* self, const muster_request* request, const muster_route_sink* out);
  muster_code (*join)(void* self, const muster_request* request, const muster_bytes* parts,
                      uint32_t count, const muster_bytes_sink* out);
  muster_code (*refuse)(void* self, const muster_request* request, int16_t kafka_error,
                        muster_str why, const muster_bytes_sink* out);
  /* [any] Answers at once or later, once. The answer object lives until then, the request only
   * until handle returns. Requests of one connection come in order. */
  void (*handle)(void* self, const muster_request* request, const muster_answer* answer);
  /* [any] (optional) its long polls may be given up; each still answers once */
  void (*gone)(void* self, uint64_t connection);
  /* [control] once, before the first handle */
  muster_code (*watch)(void* self, const muster_metadata_events* events);
  /* [pure] as ApiVersions v5 checks it; asked once, before watch */
  muster_code (*cluster_id)(void* self, const muster_bytes_sink* out);
} muster_broker_v1;

#ifdef __cplusplus
}
#endif
#endif
