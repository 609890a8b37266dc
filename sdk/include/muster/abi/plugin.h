/* The door: the one exported function of a plugin and what it returns. */
#ifndef MUSTER_ABI_PLUGIN_H
#define MUSTER_ABI_PLUGIN_H

#include "options.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A feature level that the plugin serves (group.version 0-1, ...); set by [features] or
 * UpdateFeatures. Frozen layout. */
typedef struct muster_feature {
  const char* name;
  int16_t min, max, default_level;
} muster_feature;

/* One interface that the plugin offers. `table` is the interface's table (muster_group_protocol_v1,
 * ...). Frozen layout. */
typedef struct muster_export {
  const char* interface_id; /* "muster.group-protocol/1" */
  const char* name;         /* what configurations call it: "uniform" */
  const void* table;
  const muster_option* options;
  uint32_t option_count;
  const muster_feature* features;
  uint32_t feature_count;
} muster_export;

/* All static storage, valid while the library is mapped. */
typedef struct muster_plugin {
  uint32_t struct_size;
  uint32_t abi_major, abi_minor; /* abi_minor: the oldest minor that has all the plugin needs */
  uint32_t export_count;
  const char* id;      /* reverse DNS: "org.example.rr" */
  const char* version; /* semantic version */
  const char* license; /* SPDX */
  const muster_export* exports;
} muster_plugin;

/* [pure] The only exported symbol of a plugin. No allocation, no threads, callable any number of
 * times; NULL = cannot serve this host. */
MUSTER_EXPORT const muster_plugin* muster_plugin_entry(uint32_t host_abi_major);
typedef const muster_plugin* (*muster_plugin_entry_fn)(uint32_t host_abi_major);
#define MUSTER_PLUGIN_ENTRY_NAME "muster_plugin_entry"

#ifdef __cplusplus
}
#endif
#endif
