#include "settings.hpp"

namespace muster::classic {

Settings::Settings(const sdk::Options& options)
    : min_session_timeout_ms(sdk::Int64Option(options, "group.min.session.timeout.ms")()),
      max_session_timeout_ms(sdk::Int64Option(options, "group.max.session.timeout.ms")()),
      initial_rebalance_delay_ms(static_cast<std::int32_t>(
          sdk::Int64Option(options, "group.initial.rebalance.delay.ms")())),
      max_size(static_cast<std::size_t>(sdk::Int64Option(options, "group.max.size")())) {}

}  // namespace muster::classic
