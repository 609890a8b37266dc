// Counts its records.
#include "protocol.hpp"

#include <string>

namespace every_kind {

namespace sdk = muster::sdk;

void Protocol::route(const sdk::Request& request, sdk::RouteSink& out) const {
  out.key(sdk::as_text(request.body()));
}

void Protocol::refuse(const sdk::Request&, std::int16_t kafka_error, std::string_view why,
                      sdk::BytesSink& out) const {
  out.write(sdk::text(kafka_error, " ", why));
}

Protocol::Shard::Shard(Protocol&, sdk::ShardHost host) : host_(host) {}

void Protocol::Shard::replay(const sdk::Replayed& replayed, sdk::Directory&) {
  if (replayed.kind == sdk::Kind::record) ++count_;
}

void Protocol::Shard::decide(const sdk::Request& request, sdk::Decision& decision) const {
  decision.record(request.body(), sdk::as_bytes("1"));
  const std::string answer = sdk::text(count_, " at ", host_.now_ms());
  decision.respond(sdk::as_bytes(answer));
}

}  // namespace every_kind
