// Collects what a plugin's route slot says: one key for the whole request, or parts.
#pragma once

#include "runtime/bytes.hpp"

#include <muster/abi/request.h>

#include <string>
#include <vector>

namespace muster::host {

struct RoutePart {
  enum class Kind : std::uint8_t { keyed, every_shard, shard };

  Kind kind = Kind::keyed;
  std::uint16_t scope = MUSTER_SCOPE_GROUP;
  std::string key;    // or the shard space
  std::uint32_t shard = 0;
  Buffer body;
};

class RouteParts {
 public:
  RouteParts();
  RouteParts(const RouteParts&) = delete;
  RouteParts& operator=(const RouteParts&) = delete;

  const muster_route_sink* sink() const { return &sink_; }
  bool whole() const { return whole_; }
  // The key of a whole request. Lives in the request's frame where the plugin pointed there.
  std::string_view key() const { return key_; }
  const std::vector<RoutePart>& parts() const { return parts_; }
  // The body of the request being routed, to know whether a key points into it.
  void frame(Bytes body) { frame_ = body; }

 private:
  void take_key(muster_str key);

  muster_route_sink sink_{};
  Bytes frame_;
  bool whole_ = false;
  std::string_view key_;
  std::string key_copy_;
  std::vector<RoutePart> parts_;
};

}  // namespace muster::host
