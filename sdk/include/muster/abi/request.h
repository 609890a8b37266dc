/* A Kafka request on its way through the border: claims, context, routing. Shared by group
 * protocols and brokers. */
#ifndef MUSTER_ABI_REQUEST_H
#define MUSTER_ABI_REQUEST_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whom a request, or a part of one, is for. */
#define MUSTER_SCOPE_BROKER 0 /* the claimant itself; brokers only, never routed by key */
#define MUSTER_SCOPE_GROUP 1  /* key: group id -> its shard, its owner */
#define MUSTER_SCOPE_TOPIC 2  /* key: topic name */
/* key: "TYPE/NAME" with Kafka's config resource type: "32/my-group", "2/my-topic" */
#define MUSTER_SCOPE_RESOURCE 3
#define MUSTER_SCOPE_TRANSACTION 4 /* key: transactional id -> its shard */

/* An API the plugin serves. first_flexible: the first version with request header 2 (INT16_MAX:
 * none). `creates`: it serves ids that nobody owns, and routes, joins and refuses for every
 * claimant. Frozen layout. */
typedef struct muster_api_claim {
  int16_t key, min, max, first_flexible;
  uint16_t scope, creates;
} muster_api_claim;

/* Record types the plugin owns, unique in a shard space. Kafka's own below 0x3000, Muster's
 * 0x3000-0x3fff, strangers' from 0x4000. Frozen layout. */
typedef struct muster_type_claim {
  int16_t first, last;
} muster_type_claim;

/* A request, or one part of it. The host's; everything lives until the slot returns, also where the
 * answer comes later. */
typedef struct muster_request {
  uint32_t struct_size;
  int16_t api_key, version;
  muster_bytes body; /* after the header */
  uint64_t id; /* of this request, or this part of one: unique in the process, good as a token */
  uint64_t connection;  /* unique in the process; 0: the host itself */
  uint32_t deadline_ms; /* from when the slot is called; 0 = none */
  /* client_host as Kafka writes it: "/127.0.0.1" */
  muster_str principal, client_id, client_host, listener;
  muster_str key;   /* decide and handle: what route named for this part */
  muster_str owner; /* decide: the foreign owner of the group id, or empty */
} muster_request;

/* Says where a request goes. Call `key`, or `every_shard`, or `part`/`shard` once a part; parts
 * keep call order. Nothing called and MUSTER_OK: `join` answers the request, over no parts. The key
 * given to `key` may point into the body. */
typedef struct muster_route_sink {
  uint32_t struct_size;
  void* self;
  void (*key)(void* self, muster_str key);            /* all of it, one key; no copy */
  void (*every_shard)(void* self, muster_bytes body); /* one part a shard, each with this body */
  void (*part)(void* self, uint16_t scope, muster_str key, muster_bytes body); /* copied */
  /* by partition number; copied */
  void (*shard)(void* self, muster_str space, uint32_t shard, muster_bytes body);
} muster_route_sink;

/* An answer that leaves the process without a copy: parts stay valid until `release(owner)`, called
 * once, from any thread. */
typedef void (*muster_release)(void* owner);

#ifdef __cplusplus
}
#endif
#endif
