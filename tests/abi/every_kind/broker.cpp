// A broker without topics.
#include "broker.hpp"

#include <vector>

namespace every_kind {

void Broker::handle(const muster::sdk::Request&, muster::sdk::Answer answer) {
  answer.owned(std::vector<std::uint8_t>{1, 2, 3});
}

void Broker::gone(std::uint64_t) {}

void Broker::watch(const muster::sdk::MetadataEvents& events) { events.changed({}, {}); }

void Broker::cluster_id(muster::sdk::BytesSink& out) const { out.write("every-kind"); }

}  // namespace every_kind
