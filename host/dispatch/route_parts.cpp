#include "dispatch/route_parts.hpp"

#include <functional>

namespace muster::host {

RouteParts::RouteParts() {
  sink_.struct_size = sizeof sink_;
  sink_.self = this;
  sink_.key = [](void* self, muster_str key) { static_cast<RouteParts*>(self)->take_key(key); };
  sink_.every_shard = [](void* self, muster_bytes body) {
    static_cast<RouteParts*>(self)->parts_.push_back({RoutePart::Kind::every_shard,
                                                      MUSTER_SCOPE_GROUP,
                                                      {},
                                                      0,
                                                      {body.data, body.data + body.size}});
  };
  sink_.part = [](void* self, std::uint16_t scope, muster_str key, muster_bytes body) {
    static_cast<RouteParts*>(self)->parts_.push_back({RoutePart::Kind::keyed,
                                                      scope,
                                                      std::string(from_abi(key)),
                                                      0,
                                                      {body.data, body.data + body.size}});
  };
  sink_.shard = [](void* self, muster_str space, std::uint32_t shard, muster_bytes body) {
    static_cast<RouteParts*>(self)->parts_.push_back({RoutePart::Kind::shard,
                                                      MUSTER_SCOPE_GROUP,
                                                      std::string(from_abi(space)),
                                                      shard,
                                                      {body.data, body.data + body.size}});
  };
}

void RouteParts::take_key(muster_str key) {
  whole_ = true;
  const auto* const start = reinterpret_cast<const std::uint8_t*>(key.data);
  const std::less_equal<const std::uint8_t*> at_most;
  const bool in_frame = key.size != 0 && at_most(frame_.data(), start) &&
                        at_most(start + key.size, frame_.data() + frame_.size());
  if (in_frame) {
    key_ = from_abi(key);
    return;
  }
  key_copy_.assign(from_abi(key));
  key_ = key_copy_;
}

}  // namespace muster::host
