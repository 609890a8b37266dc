// What is said about topic configs beside their values: the broker option that a topic takes the
// value from, and a sentence of documentation. Any thread.
#pragma once

#include <cstdint>
#include <string_view>

namespace muster::embedded {

struct ConfigWords {
  std::string_view name;
  std::string_view broker_name;  // Kafka's name of the broker option; empty: there is none
  std::string_view doc;
  // Whether Kafka shows the default of that option: not where it is in another option's unit.
  bool shows_default = true;
};

// Empty words for a name that is none.
ConfigWords words_of(std::string_view config);

// A broker option that says the same as another one in a larger unit, and counts where that one
// is not set.
struct CoarserOption {
  std::string_view config;  // of topics
  std::string_view broker_name;
  std::int64_t unit = 1;
  std::string_view default_value;  // empty: none
};

// In the order in which they count.
inline constexpr CoarserOption coarser_options[] = {
    {"retention.ms", "log.retention.minutes", 60'000, ""},
    {"retention.ms", "log.retention.hours", 3'600'000, "168"},
};

}  // namespace muster::embedded
