// Setting and listing; lookups are in the header.
#include "config/group_values.hpp"

namespace muster::host {

void GroupValues::set(std::string_view group, std::int32_t option, std::optional<Own> own) {
  Stripe& stripe = stripes_[stripe_of(group)];
  const std::unique_lock lock(stripe.mutex);
  auto at = stripe.groups.find(group);
  if (own) {
    if (at == stripe.groups.end()) {
      at = stripe.groups.emplace(std::string(group), OfGroup()).first;
      groups_.fetch_add(1, std::memory_order_release);
    }
    at->second[option] = std::make_unique<Own>(std::move(*own));
    return;
  }
  if (at == stripe.groups.end()) return;
  at->second.erase(option);
  if (at->second.empty()) {
    stripe.groups.erase(at);
    groups_.fetch_sub(1, std::memory_order_release);
  }
}

std::map<std::int32_t, std::string> GroupValues::written(std::string_view group) const {
  std::map<std::int32_t, std::string> out;
  const Stripe& stripe = stripes_[stripe_of(group)];
  const std::shared_lock lock(stripe.mutex);
  const auto at = stripe.groups.find(group);
  if (at == stripe.groups.end()) return out;
  for (const auto& [option, own] : at->second) out.emplace(option, own->written);
  return out;
}

}  // namespace muster::host
