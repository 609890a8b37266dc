#include "runtime/protocol_set.hpp"

namespace muster::host {

std::string ProtocolSet::add(Protocol protocol) {
  const std::size_t index = protocols_.size();
  if (auto why = add_types(protocol, static_cast<int>(index)); !why.empty()) return why;
  if (auto why = add_apis(protocol, index); !why.empty()) return why;
  protocols_.push_back(std::move(protocol));
  return {};
}

std::string ProtocolSet::add_types(const Protocol& protocol, int index) {
  for (std::uint32_t i = 0; i < protocol.table->type_count; ++i) {
    const muster_type_claim claim = protocol.table->types[i];
    for (const auto& [first, range] : types_) {
      if (claim.first <= range.last && first <= claim.last) {
        return "record type " + std::to_string(std::max(first, claim.first)) + " is claimed by '" +
               protocols_[static_cast<std::size_t>(range.protocol)].name + "' and by '" +
               protocol.name + "'";
      }
    }
    types_[claim.first] = {claim.last, index};
  }
  return {};
}

std::string ProtocolSet::add_apis(const Protocol& protocol, std::size_t index) {
  for (std::uint32_t i = 0; i < protocol.table->api_count; ++i) {
    const muster_api_claim& claim = protocol.table->apis[i];
    const auto [found, fresh] = apis_.try_emplace(claim.key);
    ApiClaimants& api = found->second;
    const std::string key = "API key " + std::to_string(claim.key);
    if (fresh) {
      api.claim = claim;
      api.creator = index;
    } else if (api.claim.min != claim.min || api.claim.max != claim.max ||
               api.claim.first_flexible != claim.first_flexible || api.claim.scope != claim.scope) {
      return key + " is claimed with other versions or another scope by '" +
             protocols_[api.creator].name + "' and by '" + protocol.name + "'";
    }
    if (claim.creates != 0) {
      if (api.creator_declared) {
        return key + " has two claimants that create: '" + protocols_[api.creator].name +
               "' and '" + protocol.name + "'";
      }
      api.creator = index;
      api.creator_declared = true;
    }
    api.claims.resize(index + 1, 0);
    api.claims[index] = 1;
  }
  return {};
}

int ProtocolSet::owner_of_type(std::int16_t type) const {
  auto after = types_.upper_bound(type);
  if (after == types_.begin()) return -1;
  --after;
  return type <= after->second.last ? after->second.protocol : -1;
}

}  // namespace muster::host
