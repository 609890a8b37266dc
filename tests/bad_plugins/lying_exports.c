/* Broken: nothing; its plugin.toml promises an export that the entry does not have. */
#include "fixture.h"

FIXTURE_ASSIGNOR(fixture_assign)
