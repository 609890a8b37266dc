// The context of a space "groups" of one shard, made of what a rig has under the usual names. The
// store is still to be set where the rig has no ManualStore.
#pragma once

#include "runtime/space.hpp"

namespace muster::testing {

template <class Rig>
host::SpaceContext space_context(Rig& rig) {
  host::SpaceContext context;
  context.name = "groups";
  context.shard_count = 1;
  context.protocols = &rig.protocols;
  context.store_self = &rig.store;
  context.clock = &rig.clock;
  context.executor = &rig.executor;
  context.caller = &rig.caller;
  context.observer = &rig.observer;
  context.metadata = &rig.metadata;
  context.assignors = &rig.assignors;
  context.request_ids = &rig.ids;
  return context;
}

}  // namespace muster::testing
