// What is said about topic configs beside their values: the broker option that a topic takes the
// value from, and a sentence of documentation. Any thread.
#pragma once

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

}  // namespace muster::embedded
