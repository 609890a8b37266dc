/* Broken: a mandatory slot is NULL. */
#include "fixture.h"

FIXTURE_ASSIGNOR(NULL)
