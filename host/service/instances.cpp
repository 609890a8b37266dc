#include "service/instances.hpp"

#include "dispatch/configs.hpp"
#include "dispatch/features.hpp"
#include "dispatch/own_protocol.hpp"
#include "plugins/create.hpp"

namespace muster::host {

Instances::Instances(const Registry& registry, Options& options, Services& services,
                     std::int32_t node_id)
    : registry_(registry), options_(options), services_(services), node_id_(node_id) {}

Instances::~Instances() {
  for (auto destroy = destroy_.rbegin(); destroy != destroy_.rend(); ++destroy) (*destroy)();
}

std::string Instances::make(const Export& from, void*& self) {
  auto made = create_instance(from, *services_.host_for(from.definition),
                              *options_.table_for(from.definition));
  if (!made) return made.error();
  self = made->self;
  destroy_.push_back([instance = std::move(*made)] { destroy_instance(instance); });
  return {};
}

std::string Instances::create() {
  const Export& store = registry_.bound_store();
  store_.table = static_cast<const muster_store_v1*>(store.table);
  if (auto why = make(store, store_.self); !why.empty()) return why;

  const Export& broker = registry_.bound_broker();
  broker_.name = broker.definition;
  broker_.table = static_cast<const muster_broker_v1*>(broker.table);
  if (auto why = make(broker, broker_.self); !why.empty()) return why;

  for (const Export& assignor : registry_.find_exports(MUSTER_IFACE_PARTITION_ASSIGNOR)) {
    const auto* table = static_cast<const muster_partition_assignor_v1*>(assignor.table);
    void* self = nullptr;
    if (auto why = make(assignor, self); !why.empty()) return why;
    assignors_.add(assignor.interface_id, assignor.definition + "/" + assignor.name, table, self);
  }
  return create_protocols();
}

std::string Instances::create_protocols() {
  // The host's own come first: group configs and feature levels.
  auto service = std::make_shared<HostOptionsService>();
  service->struct_size = sizeof(HostOptionsService);
  service->options = &options_;
  service->node_id = node_id_;
  for (Protocol own : {Protocol{"host", config_protocol(), nullptr},
                       Protocol{"host.features", feature_protocol(), nullptr}}) {
    ErrorText error;
    own.self = own.table->create(
        services_.host_for(own.name, {{MUSTER_SERVICE_HOST_OPTIONS, service.get()}}), nullptr,
        error.sink());
    if (own.self == nullptr) return "'" + own.name + "' could not start: " + error.text();
    destroy_.push_back([table = own.table, made = own.self, service] { table->destroy(made); });
    if (auto why = add_protocol(std::move(own)); !why.empty()) return why;
  }

  for (const Export& bound : registry_.bound_groups()) {
    Protocol protocol{bound.definition, static_cast<const muster_group_protocol_v1*>(bound.table),
                      nullptr};
    if (auto why = make(bound, protocol.self); !why.empty()) return why;
    if (border_check_) protocol = border_check_->around(protocol);
    if (auto why = add_protocol(std::move(protocol)); !why.empty()) return why;
  }
  return {};
}

std::string Instances::add_protocol(Protocol protocol) {
  const std::string_view space = protocol.table->shard_space;
  if (space == "groups") return groups_.add(std::move(protocol));
  if (space == "transactions") return transactions_.add(std::move(protocol));
  return "plugin '" + protocol.name + "' lives in the unknown shard space '" + std::string(space) +
         "'; there are 'groups' and 'transactions'";
}

}  // namespace muster::host
