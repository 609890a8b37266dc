/* The words that every table of the border uses: strings, bytes, codes, sinks.
 *
 * C11, stddef and stdint only. Structs that cross in arrays are marked "frozen layout": they never
 * change within a revision. Every other struct starts with struct_size and may grow at its tail;
 * read a member only if struct_size covers it. Nobody frees the other side's memory: inputs live
 * until the slot returns, results leave through sinks. A sink copies, is good until the slot
 * returns and on the thread that the slot was called on, and never fails. Thread tags: host.h. */
#ifndef MUSTER_ABI_TYPES_H
#define MUSTER_ABI_TYPES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MUSTER_ABI_MAJOR 0
#define MUSTER_ABI_MINOR 1

#if defined(__GNUC__)
#define MUSTER_EXPORT __attribute__((visibility("default")))
#else
#define MUSTER_EXPORT
#endif

/* UTF-8, not NUL-terminated. data NULL = null (size is then 0). Frozen layout. */
typedef struct muster_str {
  const char* data;
  size_t size;
} muster_str;

/* data NULL = null. Frozen layout. */
typedef struct muster_bytes {
  const uint8_t* data;
  size_t size;
} muster_bytes;

/* How a slot went. An unknown value reads as MUSTER_INTERNAL. Kafka errors never travel here. */
typedef int32_t muster_code;
#define MUSTER_OK 0
#define MUSTER_INVALID_ARGUMENT 1 /* it makes no sense: an option's value, a foreign body */
#define MUSTER_UNAVAILABLE 2      /* not now: a resource of the world is missing */
#define MUSTER_CORRUPT 3          /* bytes that should be ours cannot be read */
#define MUSTER_INTERNAL 4         /* a bug of the callee */
#define MUSTER_FENCED 5           /* a store's answer to an older epoch */

/* One sentence about a failure, without a full stop; before returning a code that is not MUSTER_OK,
 * or NULL. Called twice: the last one counts. After MUSTER_OK: ignored. */
typedef struct muster_error_sink {
  uint32_t struct_size;
  void* self;
  void (*error)(void* self, muster_str message);
} muster_error_sink;

/* Takes bytes. A second call appends; never called: no bytes. */
typedef struct muster_bytes_sink {
  uint32_t struct_size;
  void* self;
  void (*bytes)(void* self, muster_bytes bytes);
} muster_bytes_sink;

/* A record of coordinator state. value.data NULL = tombstone. Frozen layout. */
typedef struct muster_record {
  muster_bytes key;
  muster_bytes value;
} muster_record;

/* Takes live records: what a store loads, or a group as its own records (sequence then counts from
 * 0). */
typedef struct muster_record_sink {
  uint32_t struct_size;
  void* self;
  void (*record)(void* self, uint64_t sequence, muster_bytes key, muster_bytes value);
} muster_record_sink;

/* A topic id as Kafka's wire has it: 16 raw bytes, all zero = none. Frozen layout. */
typedef struct muster_uuid {
  uint8_t bytes[16];
} muster_uuid;

#ifdef __cplusplus
}
#endif
#endif
