// The options as the host, the manifest and DescribeConfigs see them: Kafka's names, defaults and
// bounds, and a few of Muster's own. Constant data.
#pragma once

#include <muster/abi/partition_assignor.h>
#include <muster/sdk/options.hpp>

namespace muster::consumer {

inline constexpr const char* since_first = "0.1.0";
inline constexpr const char* int_max = "2147483647";

inline constexpr muster_option declared_options[] = {
    sdk::int_option("group.consumer.session.timeout.ms")
        .by_default("45000").range("1", int_max).above("group.consumer.heartbeat.interval.ms")
        .doc("How long a member may be silent before it is removed.").since(since_first),
    sdk::int_option("group.consumer.min.session.timeout.ms")
        .by_default("45000").range("1", int_max)
        .doc("Lower bound of a group's own session timeout.").since(since_first),
    sdk::int_option("group.consumer.max.session.timeout.ms")
        .by_default("60000").range("1", int_max)
        .doc("Upper bound of a group's own session timeout.").since(since_first),
    sdk::int_option("group.consumer.heartbeat.interval.ms")
        .by_default("5000").range("1", int_max)
        .doc("The heartbeat interval that members are told.").since(since_first),
    sdk::int_option("group.consumer.min.heartbeat.interval.ms")
        .by_default("5000").range("1", int_max)
        .doc("Lower bound of a group's own heartbeat interval.").since(since_first),
    sdk::int_option("group.consumer.max.heartbeat.interval.ms")
        .by_default("15000").range("1", int_max)
        .doc("Upper bound of a group's own heartbeat interval.").since(since_first),
    sdk::int_option("group.consumer.assignment.interval.ms")
        .by_default("1000").range("0", int_max)
        .doc("Least time between two assignments of a group; 0: none.").since(since_first),
    sdk::int_option("group.consumer.min.assignment.interval.ms")
        .by_default("0").range("0", int_max)
        .doc("Lower bound of a group's own assignment interval.").since(since_first),
    sdk::int_option("group.consumer.max.assignment.interval.ms")
        .by_default("15000").range("0", int_max)
        .doc("Upper bound of a group's own assignment interval.").since(since_first),
    sdk::int_option("group.consumer.max.size")
        .by_default(int_max).range("1", int_max)
        .doc("The most members a consumer group may have.").since(since_first),
    sdk::list_option("group.consumer.assignors")
        .by_default("uniform,range").names(MUSTER_IFACE_PARTITION_ASSIGNOR)
        .doc("Assignors that members may choose; the first is the default.").since(since_first),
    sdk::string_option("group.consumer.migration.policy")
        .by_default("bidirectional").one_of("bidirectional,upgrade,downgrade,disabled")
        .doc("Which way non-empty groups may move between protocols.").since(since_first),
    sdk::int_option("group.max.size")
        .by_default(int_max).range("1", int_max)
        .doc("The most members a classic group may have.").since(since_first),
    sdk::int_option("group.min.session.timeout.ms")
        .by_default("6000").range("0", int_max)
        .doc("The shortest session timeout that a classic member may ask for.").since(since_first),
    sdk::int_option("group.max.session.timeout.ms")
        .by_default("1800000").range("0", int_max)
        .doc("The longest session timeout that a classic member may ask for.").since(since_first),
    sdk::int_option("group.consumer.regex.refresh.interval.ms").internal()
        .by_default("600000").range("10000", int_max)
        .doc("How often regular expressions are matched anew.").since(since_first),
    sdk::bool_option("group.consumer.assignor.offload.enable").internal()
        .by_default("true")
        .doc("Accepted as in Kafka; assignors always run apart.").since(since_first),
    sdk::list_option("group.coordinator.rebalance.protocols")
        .by_default("classic,consumer,streams").one_of("classic,consumer,share,streams")
        .doc("The group protocols that are on.").since(since_first),
    sdk::int_option("group.version").internal()
        .by_default("1").range("0", "1")
        .doc("The level of the feature group.version, as the host has it.").since(since_first),
    sdk::long_option("assignor.wait.ms")
        .by_default("250").range("0", "60000")
        .doc("How long a heartbeat waits for the assignor it asked for; 0: not at all.")
        .since(since_first),

    sdk::int_option("consumer.session.timeout.ms").per_group()
        .default_of("group.consumer.session.timeout.ms")
        .bounds_of("group.consumer.min.session.timeout.ms",
                   "group.consumer.max.session.timeout.ms")
        .range("1", int_max).above("consumer.heartbeat.interval.ms")
        .doc("How long a member may be silent before it is removed.").since(since_first),
    sdk::int_option("consumer.heartbeat.interval.ms").per_group()
        .default_of("group.consumer.heartbeat.interval.ms")
        .bounds_of("group.consumer.min.heartbeat.interval.ms",
                   "group.consumer.max.heartbeat.interval.ms")
        .range("1", int_max)
        .doc("The heartbeat interval that members are told.").since(since_first),
    sdk::int_option("consumer.assignment.interval.ms").per_group()
        .default_of("group.consumer.assignment.interval.ms")
        .bounds_of("group.consumer.min.assignment.interval.ms",
                   "group.consumer.max.assignment.interval.ms")
        .range("0", int_max)
        .doc("Least time between two assignments of the group; 0: none.").since(since_first),
    sdk::bool_option("consumer.assignor.offload.enable").per_group().internal()
        .default_of("group.consumer.assignor.offload.enable")
        .doc("Accepted as in Kafka; assignors always run apart.").since(since_first),
};

}  // namespace muster::consumer
