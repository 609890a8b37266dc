/* Broken: its table says that it ends before a mandatory slot. */
#include "fixture.h"

static const muster_partition_assignor_v1 table = {offsetof(muster_partition_assignor_v1, assign),
                                                   fixture_create, fixture_destroy, fixture_assign};
static const muster_export exports[] = {FIXTURE_EXPORT(MUSTER_IFACE_PARTITION_ASSIGNOR, &table)};

FIXTURE_ENTRY(exports)
