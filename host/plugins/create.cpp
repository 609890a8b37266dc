// create and destroy have one shape in every interface, but not one place.
#include "plugins/create.hpp"

#include <muster/abi/broker.h>
#include <muster/abi/group_protocol.h>
#include <muster/abi/partition_assignor.h>
#include <muster/abi/store.h>

namespace muster::host {
namespace {

using CreateSlot = void* (*)(const muster_host*, const muster_options*, const muster_error_sink*);
using DestroySlot = void (*)(void*);

struct Slots {
  CreateSlot create = nullptr;
  DestroySlot destroy = nullptr;
};

template <class Table>
Slots slots_in(const void* table) {
  return {static_cast<const Table*>(table)->create, static_cast<const Table*>(table)->destroy};
}

Slots slots_of(const Export& exported) {
  const std::string_view id = exported.interface_id;
  if (id == MUSTER_IFACE_GROUP_PROTOCOL) return slots_in<muster_group_protocol_v1>(exported.table);
  if (id == MUSTER_IFACE_BROKER) return slots_in<muster_broker_v1>(exported.table);
  if (id == MUSTER_IFACE_STORE) return slots_in<muster_store_v1>(exported.table);
  if (id == MUSTER_IFACE_PARTITION_ASSIGNOR) {
    return slots_in<muster_partition_assignor_v1>(exported.table);
  }
  return {};
}

void take_message(void* self, muster_str message) {
  if (message.data != nullptr) static_cast<std::string*>(self)->assign(message.data, message.size);
}

}  // namespace

std::expected<Instance, std::string> create_instance(const Export& exported,
                                                     const muster_host& host,
                                                     const muster_options& options) {
  const std::string who = "plugin '" + exported.definition + "': " + exported.interface_id + " '" +
                          exported.name + "' could not be created";
  std::string message;
  const muster_error_sink sink{sizeof sink, &message, take_message};
  try {
    void* self = slots_of(exported).create(&host, &options, &sink);
    if (self != nullptr) return Instance{exported, self};
  } catch (const std::exception& error) {
    return std::unexpected(who + ": it threw: " + error.what());
  } catch (...) {
    return std::unexpected(who + ": it threw");
  }
  return std::unexpected(message.empty() ? who + ", and it does not say why"
                                         : who + ": " + message);
}

void destroy_instance(const Instance& instance) {
  try {
    slots_of(instance.exported).destroy(instance.self);
  } catch (...) {
    // It is going anyway, and there is nobody left to ask.
  }
}

}  // namespace muster::host
