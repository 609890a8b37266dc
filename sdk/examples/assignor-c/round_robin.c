/* Deals the partitions of each topic to its subscribers like cards. The whole plugin: a table, an
 * export, an entry. MUSTER_PLUGIN_ID and MUSTER_PLUGIN_VERSION come from muster_add_plugin. */
#include <muster/abi/partition_assignor.h>
#include <muster/abi/plugin.h>

static int instance; /* there is no state, but create must not return NULL */

static void* create(const muster_host* host, const muster_options* options,
                    const muster_error_sink* error) {
  (void)host, (void)options, (void)error;
  return &instance;
}

static void destroy(void* self) { (void)self; }

static int subscribes(const muster_partition_assignor_view* view, uint32_t member, uint32_t topic) {
  const uint32_t* first = view->subscription_first + view->member_subscription[member];
  uint32_t i;
  for (i = first[0]; i < first[1]; ++i) {
    if (view->subscription_topics[i] == topic) return 1;
  }
  return 0;
}

/* The next subscriber behind `member`, around the circle; MUSTER_NONE if nobody subscribes. */
static uint32_t next_subscriber(const muster_partition_assignor_view* view, uint32_t member,
                                uint32_t topic) {
  uint32_t step;
  for (step = 0; step < view->member_count; ++step) {
    member = member + 1 < view->member_count ? member + 1 : 0;
    if (subscribes(view, member, topic)) return member;
  }
  return MUSTER_NONE;
}

static muster_code assign(void* self, const muster_partition_assignor_view* view,
                          const muster_partition_sink* out, const muster_error_sink* error) {
  uint32_t member = view->member_count - 1;
  uint32_t topic, partition;
  (void)self, (void)error;
  for (topic = 0; topic < view->topic_count; ++topic) {
    for (partition = view->topic_first[topic]; partition < view->topic_first[topic + 1];
         ++partition) {
      const uint32_t next = next_subscriber(view, member, topic);
      if (next == MUSTER_NONE) break;
      member = next;
      out->assign(out->self, partition, 1, &member);
    }
  }
  return MUSTER_OK;
}

static const muster_partition_assignor_v1 table = {sizeof table, create, destroy, assign};

static const muster_export exports[] = {
    {MUSTER_IFACE_PARTITION_ASSIGNOR, "round-robin-c", &table, NULL, 0, NULL, 0}};

MUSTER_EXPORT const muster_plugin* muster_plugin_entry(uint32_t host_abi_major) {
  /* abi_minor 1: all that is used here was there in border 0.1 */
  static const muster_plugin plugin = {
      sizeof plugin,         MUSTER_ABI_MAJOR,      1,      1, MUSTER_PLUGIN_ID,
      MUSTER_PLUGIN_VERSION, MUSTER_PLUGIN_LICENSE, exports};
  return host_abi_major == MUSTER_ABI_MAJOR ? &plugin : NULL;
}
