// The mandatory slots of every interface, and the claims of those that have some.
#include "plugins/table_check.hpp"

#include <muster/abi/broker.h>
#include <muster/abi/group_protocol.h>
#include <muster/abi/partition_assignor.h>
#include <muster/abi/store.h>

#include <cstring>
#include <initializer_list>
#include <span>
#include <string_view>

namespace muster::host {
namespace {

using Verdict = std::expected<void, std::string>;

struct Slot {
  const char* name;
  std::size_t offset;
};

#define MUSTER_SLOT(table, member) \
  Slot { #member, offsetof(table, member) }

constexpr Slot assignor_slots[] = {MUSTER_SLOT(muster_partition_assignor_v1, create),
                                   MUSTER_SLOT(muster_partition_assignor_v1, destroy),
                                   MUSTER_SLOT(muster_partition_assignor_v1, assign)};
constexpr Slot store_slots[] = {
    MUSTER_SLOT(muster_store_v1, create), MUSTER_SLOT(muster_store_v1, destroy),
    MUSTER_SLOT(muster_store_v1, open),   MUSTER_SLOT(muster_store_v1, load),
    MUSTER_SLOT(muster_store_v1, commit), MUSTER_SLOT(muster_store_v1, owner)};
constexpr Slot broker_slots[] = {
    MUSTER_SLOT(muster_broker_v1, create), MUSTER_SLOT(muster_broker_v1, destroy),
    MUSTER_SLOT(muster_broker_v1, handle), MUSTER_SLOT(muster_broker_v1, watch),
    MUSTER_SLOT(muster_broker_v1, cluster_id)};
constexpr Slot broker_routed_slots[] = {MUSTER_SLOT(muster_broker_v1, route),
                                        MUSTER_SLOT(muster_broker_v1, refuse)};
constexpr Slot protocol_slots[] = {MUSTER_SLOT(muster_group_protocol_v1, create),
                                   MUSTER_SLOT(muster_group_protocol_v1, destroy),
                                   MUSTER_SLOT(muster_group_protocol_v1, route),
                                   MUSTER_SLOT(muster_group_protocol_v1, refuse),
                                   MUSTER_SLOT(muster_group_protocol_v1, shard_open),
                                   MUSTER_SLOT(muster_group_protocol_v1, shard_close),
                                   MUSTER_SLOT(muster_group_protocol_v1, replay),
                                   MUSTER_SLOT(muster_group_protocol_v1, decide)};
constexpr Slot facet_slots[] = {MUSTER_SLOT(muster_group_facet_v1, describe_listed),
                                MUSTER_SLOT(muster_group_facet_v1, check_commit),
                                MUSTER_SLOT(muster_group_facet_v1, check_fetch),
                                MUSTER_SLOT(muster_group_facet_v1, subscribes),
                                MUSTER_SLOT(muster_group_facet_v1, remove),
                                MUSTER_SLOT(muster_group_facet_v1, expires),
                                MUSTER_SLOT(muster_group_facet_v1, export_group)};
#undef MUSTER_SLOT

// Slots at the tail may be missing in a table that was built against an older header.
Verdict check_slots(const void* table, std::span<const Slot> slots) {
  std::uint32_t size = 0;
  std::memcpy(&size, table, sizeof size);
  for (const Slot& slot : slots) {
    if (slot.offset + sizeof(void*) > size) {
      return std::unexpected("its table is too short for the slot '" + std::string(slot.name) +
                             "'");
    }
    void* function = nullptr;
    std::memcpy(&function, static_cast<const char*>(table) + slot.offset, sizeof function);
    if (function == nullptr) {
      return std::unexpected("its slot '" + std::string(slot.name) + "' is NULL");
    }
  }
  return {};
}

Verdict check_api(const muster_api_claim& api) {
  const std::string who = "its claim of API " + std::to_string(api.key);
  if (api.key < 0 || api.min < 0 || api.min > api.max) {
    return std::unexpected(who + " has versions " + std::to_string(api.min) + " to " +
                           std::to_string(api.max));
  }
  if (api.scope > MUSTER_SCOPE_TRANSACTION || api.creates > 1) {
    return std::unexpected(who + " has an unknown scope");
  }
  return {};
}

Verdict check_apis(const muster_api_claim* apis, std::uint32_t count) {
  if (count > 0 && apis == nullptr) return std::unexpected("its list of APIs is NULL");
  for (std::uint32_t i = 0; i < count; ++i) {
    if (Verdict good = check_api(apis[i]); !good) return good;
    for (std::uint32_t j = 0; j < i; ++j) {
      if (apis[j].key == apis[i].key) {
        return std::unexpected("it claims API " + std::to_string(apis[i].key) + " twice");
      }
    }
  }
  return {};
}

Verdict check_types(const muster_type_claim* types, std::uint32_t count) {
  if (count > 0 && types == nullptr) return std::unexpected("its list of record types is NULL");
  for (std::uint32_t i = 0; i < count; ++i) {
    if (types[i].first < 0 || types[i].first > types[i].last) {
      return std::unexpected("it claims the record types " + std::to_string(types[i].first) +
                             " to " + std::to_string(types[i].last));
    }
  }
  return {};
}

Verdict check_protocol(const muster_group_protocol_v1& table) {
  if (Verdict good = check_slots(&table, protocol_slots); !good) return good;
  if (Verdict good = check_apis(table.apis, table.api_count); !good) return good;
  if (Verdict good = check_types(table.types, table.type_count); !good) return good;
  const std::string_view space = table.shard_space == nullptr ? "" : table.shard_space;
  if (space != "groups" && space != "transactions") {
    return std::unexpected("its shard space is '" + std::string(space) +
                           "', not 'groups' or 'transactions'");
  }
  const bool has_facet =
      table.struct_size >= offsetof(muster_group_protocol_v1, facet) + sizeof(void*) &&
      table.facet != nullptr;
  if (!has_facet) return {};
  Verdict good = check_slots(table.facet, facet_slots);
  if (!good) return std::unexpected("in its facet, " + good.error());
  return good;
}

Verdict check_broker(const muster_broker_v1& table) {
  if (Verdict good = check_slots(&table, broker_slots); !good) return good;
  if (Verdict good = check_apis(table.apis, table.api_count); !good) return good;
  for (std::uint32_t i = 0; i < table.api_count; ++i) {
    if (table.apis[i].scope == MUSTER_SCOPE_BROKER) continue;
    return check_slots(&table, broker_routed_slots);
  }
  return {};
}

Verdict check_store(const muster_store_v1& table) {
  if (Verdict good = check_slots(&table, store_slots); !good) return good;
  if (table.max_batch_bytes == 0) return std::unexpected("its max_batch_bytes is 0");
  return {};
}

}  // namespace

bool is_known_interface(const char* interface_id) {
  for (const std::string_view known : {MUSTER_IFACE_GROUP_PROTOCOL, MUSTER_IFACE_BROKER,
                                       MUSTER_IFACE_PARTITION_ASSIGNOR, MUSTER_IFACE_STORE}) {
    if (known == interface_id) return true;
  }
  return false;
}

Verdict check_table(const muster_export& exported) {
  const std::string_view id = exported.interface_id;
  if (!is_known_interface(exported.interface_id)) return {};
  if (exported.table == nullptr) return std::unexpected("its table is NULL");
  if (id == MUSTER_IFACE_GROUP_PROTOCOL) {
    return check_protocol(*static_cast<const muster_group_protocol_v1*>(exported.table));
  }
  if (id == MUSTER_IFACE_BROKER) {
    return check_broker(*static_cast<const muster_broker_v1*>(exported.table));
  }
  if (id == MUSTER_IFACE_STORE) {
    return check_store(*static_cast<const muster_store_v1*>(exported.table));
  }
  return check_slots(exported.table, assignor_slots);
}

}  // namespace muster::host
