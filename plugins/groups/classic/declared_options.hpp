// The options as the host, the manifest and DescribeConfigs see them: Kafka's names and defaults.
// Constant data.
#pragma once

#include <muster/sdk/options.hpp>

namespace muster::classic {

inline constexpr muster_option declared_options[] = {
    sdk::int_option("group.min.session.timeout.ms")
        .by_default("6000")
        .range("0", "2147483647")
        .doc("The shortest session timeout that a classic member may ask for."),
    sdk::int_option("group.max.session.timeout.ms")
        .by_default("1800000")
        .range("0", "2147483647")
        .doc("The longest session timeout that a classic member may ask for."),
    sdk::int_option("group.initial.rebalance.delay.ms")
        .by_default("3000")
        .range("0", "2147483647")
        .doc("How long an empty classic group waits for more members before it first rebalances."),
    sdk::int_option("group.max.size")
        .by_default("2147483647")
        .range("1", "2147483647")
        .doc("The most members a classic group may have."),
};

}  // namespace muster::classic
