/* Broken: nothing; its plugin.toml is not TOML. */
#include "fixture.h"

FIXTURE_ASSIGNOR(fixture_assign)
