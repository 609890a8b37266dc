/* Broken: the default of an integer option is no integer. */
#include "fixture.h"

static const muster_partition_assignor_v1 table = {sizeof table, fixture_create, fixture_destroy,
                                                   fixture_assign};
static const muster_option options[] = {
    {"bad.option.number", MUSTER_OPTION_INT64, MUSTER_OPTION_HOST, 3, 0, "many", NULL, NULL, NULL,
     NULL, NULL, NULL, NULL, NULL, "a number", "0.1.0"},
};
static const muster_export exports[] = {
    {MUSTER_IFACE_PARTITION_ASSIGNOR, FIXTURE_NAME, &table, options, 1, NULL, 0},
};

FIXTURE_ENTRY(exports)
