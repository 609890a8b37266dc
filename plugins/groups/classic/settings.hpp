// The plugin's options, read by name once and constant for the process. Any thread.
#pragma once

#include <muster/sdk/options.hpp>

#include <cstdint>

namespace muster::classic {

struct Settings {
  explicit Settings(const sdk::Options& options);

  [[nodiscard]] bool allows_session_timeout(std::int32_t ms) const {
    return ms >= min_session_timeout_ms && ms <= max_session_timeout_ms;
  }

  std::int64_t min_session_timeout_ms;
  std::int64_t max_session_timeout_ms;
  std::int32_t initial_rebalance_delay_ms;
  std::size_t max_size;
};

}  // namespace muster::classic
