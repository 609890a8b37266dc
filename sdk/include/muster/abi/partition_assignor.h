/* muster.consumer.partition-assignor/1: who gets which partition of a consumer group (KIP-848). A
 * pure function.
 *
 * Everything is an index: topics, members and racks are 0..n, partitions are numbered through all
 * topics of the view (partition p of topic t is topic_first[t] + p). Members are indexed in
 * member-id order, so that index order is Kafka's order; strings are there for who wants them. */
#ifndef MUSTER_ABI_PARTITION_ASSIGNOR_H
#define MUSTER_ABI_PARTITION_ASSIGNOR_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

#define MUSTER_IFACE_PARTITION_ASSIGNOR "muster.consumer.partition-assignor/1"
#define MUSTER_NONE UINT32_MAX

/* The host's; all of it lives until the slot returns. Arrays of nothing may be NULL. Topics in
 * ascending topic-id order (Kafka compares ids by their two signed 64-bit halves), existing ones
 * that somebody subscribes. */
typedef struct muster_partition_assignor_view {
  uint32_t struct_size;

  uint32_t topic_count;
  const muster_str* topic_names;
  const muster_uuid* topic_ids;
  /* topic_count + 1; topic_first[topic_count] = number of partitions */
  const uint32_t* topic_first;

  uint32_t member_count;
  const muster_str* member_ids;
  const muster_str* instance_ids; /* data NULL: dynamic */
  /* Place among all members in Kafka's range order: static by instance id, then dynamic. */
  const uint32_t* instance_rank;
  const uint32_t* member_racks; /* index into racks, or MUSTER_NONE */

  /* Members with equal subscriptions share one. Topics of subscription s, ascending:
   * subscription_topics[subscription_first[s]] .. [subscription_first[s + 1]]. One subscription =
   * homogeneous. */
  uint32_t subscription_count;
  const uint32_t* member_subscription;
  const uint32_t* subscription_first; /* subscription_count + 1 */
  const uint32_t* subscription_topics;

  /* by partition: the member it was last meant for, or MUSTER_NONE */
  const uint32_t* current_owner;

  uint32_t rack_count;
  const muster_str* racks;              /* sorted */
  const uint32_t* partition_rack_first; /* number of partitions + 1 */
  const uint32_t* partition_racks;      /* index into racks */

  /* Whose view it is, to ask group-scope options by; empty where that is not said. */
  muster_str group_id;
} muster_partition_assignor_view;

/* Takes the result: members of `count` partitions from `first` on. What is never named has no
 * owner; a partition named twice, or one or a member that does not exist, spoils the result. */
typedef struct muster_partition_sink {
  uint32_t struct_size;
  void* self;
  void (*assign)(void* self, uint32_t first, uint32_t count, const uint32_t* members);
} muster_partition_sink;

/* What on_task gets after the host has checked the result: each subscribed partition once, to a
 * subscriber. */
typedef struct muster_partition_assignment {
  uint32_t struct_size;
  const muster_partition_assignor_view* input; /* the view the assignor saw */
  const uint32_t* owner;                       /* by partition: member index, or MUSTER_NONE */
} muster_partition_assignment;

typedef struct muster_partition_assignor_v1 {
  uint32_t struct_size;
  /* [control] */
  void* (*create)(const muster_host* host, const muster_options* options,
                  const muster_error_sink* error);
  void (*destroy)(void* self); /* [control] */
  /* [worker] pure: same view, same result; may run for several groups at once. */
  muster_code (*assign)(void* self, const muster_partition_assignor_view* view,
                        const muster_partition_sink* out, const muster_error_sink* error);
} muster_partition_assignor_v1;

#ifdef __cplusplus
}
#endif
#endif
