// The options that the host itself declares, under Kafka's names.
#include "config/options.hpp"

namespace muster::host {
namespace {

constexpr std::int32_t config_type_int = 3;
constexpr std::int32_t config_type_long = 4;

constexpr muster_option declared[] = {
    {.name = "connections.max.idle.ms",
     .type = MUSTER_OPTION_INT64,
     .scope = MUSTER_OPTION_HOST,
     .config_type = config_type_long,
     .flags = 0,
     .default_value = "600000",
     .min = nullptr,
     .max = nullptr,
     .one_of = nullptr,
     .default_of = nullptr,
     .min_of = nullptr,
     .max_of = nullptr,
     .above = nullptr,
     .names = nullptr,
     .doc = "A connection that is silent for longer is closed; a negative value means never.",
     .since = "0.1.0"},
    {.name = "node.id",
     .type = MUSTER_OPTION_INT64,
     .scope = MUSTER_OPTION_HOST,
     .config_type = config_type_int,
     .flags = 0,
     .default_value = "0",
     .min = "0",
     .max = nullptr,
     .one_of = nullptr,
     .default_of = nullptr,
     .min_of = nullptr,
     .max_of = nullptr,
     .above = nullptr,
     .names = nullptr,
     .doc = "The id under which clients see this host as a broker.",
     .since = "0.1.0"},
    {.name = "offsets.topic.num.partitions",
     .type = MUSTER_OPTION_INT64,
     .scope = MUSTER_OPTION_HOST,
     .config_type = config_type_int,
     .flags = 0,
     .default_value = "50",
     .min = "1",
     .max = "10000",
     .one_of = nullptr,
     .default_of = nullptr,
     .min_of = nullptr,
     .max_of = nullptr,
     .above = nullptr,
     .names = nullptr,
     .doc = "The number of shards that groups are spread over; it cannot change for a data folder.",
     .since = "0.1.0"},
    {.name = "socket.request.max.bytes",
     .type = MUSTER_OPTION_INT64,
     .scope = MUSTER_OPTION_HOST,
     .config_type = config_type_int,
     .flags = 0,
     .default_value = "104857600",
     .min = "1024",
     .max = nullptr,
     .one_of = nullptr,
     .default_of = nullptr,
     .min_of = nullptr,
     .max_of = nullptr,
     .above = nullptr,
     .names = nullptr,
     .doc = "The largest request that is read; a connection that claims a larger one is closed.",
     .since = "0.1.0"},
};

}  // namespace

std::span<const muster_option> host_options() { return declared; }

}  // namespace muster::host
