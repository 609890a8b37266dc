#include "dispatch/api_table.hpp"

namespace muster::host {

ApiEntry& ApiTable::entry(std::int16_t key) {
  ApiEntry& made = entries_[key];
  if (key >= 0 && static_cast<std::size_t>(key) < near_.size()) {
    near_[static_cast<std::size_t>(key)] = &made;
  }
  return made;
}

std::string ApiTable::add_built_in(BuiltIn built_in, const muster_api_claim& claim) {
  ApiEntry& made = entry(claim.key);
  made.claim = claim;
  made.built_in = built_in;
  return {};
}

std::string ApiTable::add_space(Space& space) {
  for (const auto& [key, claimants] : space.context().protocols->apis()) {
    ApiEntry& made = entry(key);
    const std::string& claimant = space.context().protocols->at(claimants.creator).name;
    if (made.built_in != BuiltIn::none) {
      return "'" + claimant + "' claims API key " + std::to_string(key) +
             ", which the host itself answers";
    }
    if (made.protocols != nullptr) {
      return "API key " + std::to_string(key) + " is claimed in the shard spaces '" +
             made.space->context().name + "' and '" + space.context().name + "'";
    }
    made.claim = claimants.claim;
    made.space = &space;
    made.protocols = &claimants;
  }
  return {};
}

std::string ApiTable::add_broker(const Broker& broker) {
  for (std::uint32_t i = 0; i < broker.table->api_count; ++i) {
    const muster_api_claim& claim = broker.table->apis[i];
    ApiEntry& made = entry(claim.key);
    const std::string key = "API key " + std::to_string(claim.key);
    if (made.built_in != BuiltIn::none) {
      return "'" + broker.name + "' claims " + key + ", which the host itself answers";
    }
    if (made.protocols == nullptr) {
      made.claim = claim;
    } else if (made.claim.min != claim.min || made.claim.max != claim.max ||
               made.claim.first_flexible != claim.first_flexible) {
      return key + " is claimed with other versions by '" + broker.name + "' and by '" +
             made.space->context().protocols->at(made.protocols->creator).name + "'";
    } else if (claim.creates != 0 && made.protocols->creator_declared) {
      return key + " has two claimants that create: '" + broker.name + "' and '" +
             made.space->context().protocols->at(made.protocols->creator).name + "'";
    }
    made.broker = &claim;
  }
  return {};
}

}  // namespace muster::host
