/* Broken: nothing; its folder has no plugin.toml. */
#include "fixture.h"

FIXTURE_ASSIGNOR(fixture_assign)
