/* Broken: its export has no table. */
#include "fixture.h"

FIXTURE_PLUGIN(MUSTER_IFACE_PARTITION_ASSIGNOR, NULL)
