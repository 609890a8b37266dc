/* Broken: it declares an option of a type that does not exist. */
#include "fixture.h"

static const muster_partition_assignor_v1 table = {sizeof table, fixture_create, fixture_destroy,
                                                   fixture_assign};
static const muster_option options[] = {
    {"bad.option.number", 99, MUSTER_OPTION_HOST, 3, 0, "1", NULL, NULL, NULL, NULL, NULL, NULL,
     NULL, NULL, "a number", "0.1.0"},
};
static const muster_export exports[] = {
    {MUSTER_IFACE_PARTITION_ASSIGNOR, FIXTURE_NAME, &table, options, 1, NULL, 0},
};

FIXTURE_ENTRY(exports)
