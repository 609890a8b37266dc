// Values that groups have of their own, by group id. Owner: host/config.
//
// Threads: [any]. While no group has any, a lookup is one relaxed load; otherwise it takes a shared
// lock of one stripe. Text that `with` hands out stays until the same group is set again, which
// only its own shard does.
#pragma once

#include "config/option_value.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace muster::host {

class GroupValues {
 public:
  struct Own {
    std::string written;    // as it was set
    OptionValue effective;  // clamped to the host's bounds
  };

  // Calls use(const OptionValue&) and returns true if the group has that option set.
  template <class Use>
  bool with(std::string_view group, std::int32_t option, Use&& use) const {
    if (groups_.load(std::memory_order_acquire) == 0) return false;
    const Stripe& stripe = stripes_[stripe_of(group)];
    const std::shared_lock lock(stripe.mutex);
    const auto at = stripe.groups.find(group);
    if (at == stripe.groups.end()) return false;
    const auto own = at->second.find(option);
    if (own == at->second.end()) return false;
    use(own->second->effective);
    return true;
  }

  void set(std::string_view group, std::int32_t option, std::optional<Own> own);
  [[nodiscard]] std::map<std::int32_t, std::string> written(std::string_view group) const;

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const noexcept {
      return std::hash<std::string_view>{}(text);
    }
  };
  using OfGroup = std::map<std::int32_t, std::unique_ptr<Own>>;
  struct alignas(64) Stripe {
    mutable std::shared_mutex mutex;
    std::unordered_map<std::string, OfGroup, TextHash, std::equal_to<>> groups;
  };
  static constexpr std::size_t stripe_count = 64;

  [[nodiscard]] static std::size_t stripe_of(std::string_view group) {
    return TextHash{}(group) % stripe_count;
  }

  std::array<Stripe, stripe_count> stripes_;
  std::atomic<std::uint32_t> groups_{0};
};

}  // namespace muster::host
