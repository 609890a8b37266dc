// The door of org.muster.store.memory.
#include "memory_store.hpp"

#include <muster/sdk/plugin.hpp>

MUSTER_PLUGIN(MUSTER_STORE(muster::memory_store::MemoryStore, "memory"));
