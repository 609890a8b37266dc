// The door of org.muster.store.rocksdb.
#include "rocks_store.hpp"

#include <muster/sdk/plugin.hpp>

MUSTER_PLUGIN(MUSTER_STORE(muster::rocks_store::RocksStore, "rocksdb"));
