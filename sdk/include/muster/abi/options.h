/* Options are data: a plugin declares them, the host reads TOML and Kafka configs against the
 * declaration. */
#ifndef MUSTER_ABI_OPTIONS_H
#define MUSTER_ABI_OPTIONS_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* muster_option.type. Durations are int64, named ..._ms or Kafka's ....ms. */
#define MUSTER_OPTION_BOOL 0
#define MUSTER_OPTION_INT64 1
#define MUSTER_OPTION_FLOAT64 2
#define MUSTER_OPTION_STRING 3
#define MUSTER_OPTION_LIST 4 /* of strings; as text: comma-separated */

/* muster_option.scope */
#define MUSTER_OPTION_HOST 0  /* one value for the process, from TOML or --set */
#define MUSTER_OPTION_GROUP 1 /* one per group id, by IncrementalAlterConfigs on the GROUP */

/* muster_option.flags */
/* Works, but DescribeConfigs and `muster plugin options` do not show it. */
#define MUSTER_OPTION_INTERNAL 1u

/* One declared option. Values are text, read by `type`; NULL = none. Frozen layout. */
typedef struct muster_option {
  const char* name; /* Kafka's own name where Kafka has the option */
  int32_t type;     /* MUSTER_OPTION_BOOL ... */
  int32_t scope;    /* MUSTER_OPTION_HOST or MUSTER_OPTION_GROUP */
  /* As DescribeConfigs v3 says it: 1 boolean, 2 string, 3 int, 5 long, 6 double, 7 list. */
  int32_t config_type;
  uint32_t flags;
  const char* default_value; /* ignored where default_of is set */
  const char* min;           /* inclusive; numbers only */
  const char* max;           /* inclusive; numbers only */
  /* comma-separated legal values, compared without case; strings and lists only */
  const char* one_of;
  const char* default_of; /* group scope: the host-scope option that supplies the default */
  const char* min_of; /* group scope: the host-scope option that bounds what is used, from below */
  const char* max_of; /* group scope: the same from above; values are clamped when used */
  const char* above;  /* numbers: must be greater than this option of the same scope */
  const char* names;  /* interface id: each value must name a loaded export of it (assignors) */
  const char* doc;    /* one line */
  const char* since;  /* plugin version that brought it */
} muster_option;

/* The values, for one plugin's own options. `find` gives a handle (-1: you did not declare it),
 * which is good for the life of the instance. `group` is empty for host scope. Strings and lists
 * live until the slot returns. `string` gives a value of any type as text, and an empty one where
 * there is none; the slots for numbers cannot tell none. [pure] */
typedef struct muster_options {
  uint32_t struct_size;
  void* self;
  int32_t (*find)(void* self, muster_str name);
  int32_t (*boolean)(void* self, int32_t option, muster_str group);
  int64_t (*int64)(void* self, int32_t option, muster_str group);
  double (*float64)(void* self, int32_t option, muster_str group);
  muster_str (*string)(void* self, int32_t option, muster_str group);
  uint32_t (*list)(void* self, int32_t option, muster_str group, const muster_str** items);
} muster_options;

#ifdef __cplusplus
}
#endif
#endif
