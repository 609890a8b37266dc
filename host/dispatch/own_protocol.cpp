#include "dispatch/own_protocol.hpp"

#include "runtime/bytes.hpp"

#include <string_view>

namespace muster::host {
namespace {

void* create(const muster_host* host, const muster_options*, const muster_error_sink* error) {
  const auto find = [&](std::string_view id) { return host->get_service(host->self, to_abi(id)); };
  const auto* service = static_cast<const HostOptionsService*>(find(MUSTER_SERVICE_HOST_OPTIONS));
  if (service == nullptr) {
    error->error(error->self,
                 to_abi(std::string_view("the host does not offer " MUSTER_SERVICE_HOST_OPTIONS)));
    return nullptr;
  }
  return new OwnProtocol{service,
                         static_cast<const muster_authorize_v1*>(find(MUSTER_SERVICE_AUTHORIZE))};
}

void destroy(void* self) { delete static_cast<OwnProtocol*>(self); }

}  // namespace

muster_group_protocol_v1 own_protocol_table(std::span<const muster_api_claim> apis,
                                            std::span<const muster_type_claim> types) {
  muster_group_protocol_v1 table{};
  table.struct_size = sizeof table;
  table.apis = apis.data();
  table.api_count = static_cast<std::uint32_t>(apis.size());
  table.types = types.data();
  table.type_count = static_cast<std::uint32_t>(types.size());
  table.shard_space = "groups";
  table.create = create;
  table.destroy = destroy;
  return table;
}

}  // namespace muster::host
