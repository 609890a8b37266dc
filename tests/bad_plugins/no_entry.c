/* Broken: it does not export the entry. */
#include <muster/abi/types.h>

MUSTER_EXPORT int muster_plugin_entrance(void);
MUSTER_EXPORT int muster_plugin_entrance(void) { return 0; }
