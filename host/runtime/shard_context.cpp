// The slots of muster_shard: what a protocol may ask about its shard in its turn.
#include "runtime/life.hpp"

#include <algorithm>
#include <cstring>

namespace muster::host {
namespace {

ProtocolShard& from(void* self) { return *static_cast<ProtocolShard*>(self); }

muster_group_owner owner_of(Life& life, int index) {
  muster_group_owner owner{};
  owner.struct_size = sizeof owner;
  if (index < 0) {
    owner.name = to_abi(std::string_view("unknown"));
    return owner;
  }
  ProtocolShard& owning = *life.protocols[static_cast<std::size_t>(index)];
  owner.name = to_abi(std::string_view(owning.protocol.name));
  const muster_group_protocol_v1* const table = owning.protocol.table;
  if (offers(table, &muster_group_protocol_v1::facet)) owner.facet = table->facet;
  owner.shard = owning.object;
  owner.decision = life.deciding ? owning.port.table() : nullptr;
  return owner;
}

}  // namespace

void bind_shard_context(ProtocolShard& protocol, std::uint32_t shard) {
  muster_shard& context = protocol.context;
  context.struct_size = sizeof context;
  context.self = &protocol;
  context.shard = shard;
  context.shard_count = protocol.life.space.shard_count;
  context.now_ms = [](void* self) { return from(self).life.now_ms(); };
  context.metadata = [](void* self) { return from(self).life.snapshot->view(); };
  context.find_group = [](void* self, muster_str group, muster_group_owner* out) -> muster_code {
    Life& life = from(self).life;
    const int index = life.directory.find(from_abi(group));
    if (index == GroupDirectory::nobody) return MUSTER_UNAVAILABLE;
    // An older plugin's struct is shorter.
    muster_group_owner owner = owner_of(life, index);
    owner.struct_size = std::min(out->struct_size, owner.struct_size);
    std::memcpy(out, &owner, owner.struct_size);
    return MUSTER_OK;
  };
  context.each_group = [](void* self, void* arg,
                          void (*visit)(void*, muster_str, const muster_group_owner*)) {
    Life& life = from(self).life;
    for (const auto& [group, index] : life.directory.sorted()) {
      const muster_group_owner owner = owner_of(life, index);
      visit(arg, to_abi(group), &owner);
    }
  };
}

}  // namespace muster::host
