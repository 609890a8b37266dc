/* Broken: it exports the same interface under the same name twice. */
#include "fixture.h"

static const muster_partition_assignor_v1 table = {sizeof table, fixture_create, fixture_destroy,
                                                   fixture_assign};
static const muster_export exports[] = {
    FIXTURE_EXPORT(MUSTER_IFACE_PARTITION_ASSIGNOR, &table),
    FIXTURE_EXPORT(MUSTER_IFACE_PARTITION_ASSIGNOR, &table),
};

FIXTURE_ENTRY(exports)
