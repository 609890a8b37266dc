// Broken: create throws, with no barrier around it.
#include "fixture.h"

#include <stdexcept>

static void* create(const muster_host* host, const muster_options* options,
                    const muster_error_sink* error) {
  (void)host, (void)options, (void)error;
  throw std::runtime_error("thrown by create");
}

static const muster_partition_assignor_v1 table = {sizeof table, create, fixture_destroy,
                                                   fixture_assign};
FIXTURE_PLUGIN(MUSTER_IFACE_PARTITION_ASSIGNOR, &table)
