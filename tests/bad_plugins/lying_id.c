/* Broken: nothing; its plugin.toml gives another id. */
#include "fixture.h"

FIXTURE_ASSIGNOR(fixture_assign)
