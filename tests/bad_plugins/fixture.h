/* What every broken plugin shares: a working entry, a working assignor, a working group protocol.
 * Each fixture takes the working part and breaks one thing. C11, also read by C++ fixtures. */
#ifndef MUSTER_BAD_PLUGINS_FIXTURE_H
#define MUSTER_BAD_PLUGINS_FIXTURE_H

#include <muster/abi/group_protocol.h>
#include <muster/abi/partition_assignor.h>
#include <muster/abi/plugin.h>
#include <muster/abi/store.h>

#include <string.h>

/* FIXTURE_NAME comes from the build: the name of the file. */
#define FIXTURE_ID "org.example.bad." FIXTURE_NAME

/* An entry over `exports`; for the fixtures whose entry is not what is broken. */
#define FIXTURE_ENTRY(exports)                                                                     \
  MUSTER_EXPORT const muster_plugin* muster_plugin_entry(uint32_t host_abi_major) {                \
    static const muster_plugin plugin = {                                                          \
        sizeof plugin, MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, sizeof(exports) / sizeof((exports)[0]), \
        FIXTURE_ID,    "0.1.0",          "Apache-2.0",     exports};                               \
    return host_abi_major == MUSTER_ABI_MAJOR ? &plugin : NULL;                                    \
  }

/* One export of this table, named like the fixture. */
#define FIXTURE_EXPORT(interface_id, table) {interface_id, FIXTURE_NAME, table, NULL, 0, NULL, 0}

#define FIXTURE_PLUGIN(interface_id, table)                                             \
  static const muster_export fixture_exports[] = {FIXTURE_EXPORT(interface_id, table)}; \
  FIXTURE_ENTRY(fixture_exports)

#define FIXTURE_ASSIGNOR(assign_slot)                                                              \
  static const muster_partition_assignor_v1 fixture_table = {sizeof fixture_table, fixture_create, \
                                                             fixture_destroy, assign_slot};        \
  FIXTURE_PLUGIN(MUSTER_IFACE_PARTITION_ASSIGNOR, &fixture_table)

static int fixture_object;

static inline void* fixture_create(const muster_host* host, const muster_options* options,
                                   const muster_error_sink* error) {
  (void)host, (void)options, (void)error;
  return &fixture_object;
}

static inline void fixture_destroy(void* self) { (void)self; }

static inline muster_str fixture_str(const char* text) {
  muster_str out;
  out.data = text;
  out.size = strlen(text);
  return out;
}

static inline muster_bytes fixture_bytes(const char* text) {
  muster_bytes out;
  out.data = (const uint8_t*)text;
  out.size = strlen(text);
  return out;
}

/* Whether a member subscribes a topic. */
static inline int fixture_subscribes(const muster_partition_assignor_view* view, uint32_t member,
                                     uint32_t topic) {
  const uint32_t subscription = view->member_subscription[member];
  uint32_t i;
  for (i = view->subscription_first[subscription]; i < view->subscription_first[subscription + 1];
       ++i) {
    if (view->subscription_topics[i] == topic) return 1;
  }
  return 0;
}

/* The first subscriber of a topic, from member `from` on; MUSTER_NONE if there is none. */
static inline uint32_t fixture_subscriber(const muster_partition_assignor_view* view,
                                          uint32_t topic, uint32_t from) {
  uint32_t i;
  for (i = 0; i < view->member_count; ++i) {
    const uint32_t member = (from + i) % view->member_count;
    if (fixture_subscribes(view, member, topic)) return member;
  }
  return MUSTER_NONE;
}

/* A correct assignment: each topic whole to its first subscriber. */
static inline muster_code fixture_assign(void* self, const muster_partition_assignor_view* view,
                                         const muster_partition_sink* out,
                                         const muster_error_sink* error) {
  uint32_t topic, partition;
  (void)self, (void)error;
  for (topic = 0; topic < view->topic_count; ++topic) {
    const uint32_t member = fixture_subscriber(view, topic, 0);
    if (member == MUSTER_NONE) continue;
    for (partition = view->topic_first[topic]; partition < view->topic_first[topic + 1];
         ++partition) {
      out->assign(out->self, partition, 1, &member);
    }
  }
  return MUSTER_OK;
}

#endif
