/* Broken: nothing; its plugin.toml gives another version. */
#include "fixture.h"

FIXTURE_ASSIGNOR(fixture_assign)
