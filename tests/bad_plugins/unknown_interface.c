/* Broken: it exports an interface that no host knows. */
#include "fixture.h"

FIXTURE_PLUGIN("muster.unheard-of/7", &fixture_object)
