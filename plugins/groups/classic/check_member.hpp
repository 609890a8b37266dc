// Whether a request comes from the member that it names. Pure. [shard]
#pragma once

#include <muster/protocol/errors.hpp>

#include <optional>
#include <string_view>

namespace muster::classic {

struct Named {
  std::string_view member_id;
  std::optional<std::string_view> instance_id;
};

// As Kafka: the instance first, so that a replaced member learns that it was.
template <class AnyRoster>
protocol::Error check_member(const AnyRoster& roster, const Named& named) {
  if (named.instance_id) {
    const auto* holder = roster.find_static(*named.instance_id);
    if (holder == nullptr) return protocol::Error::unknown_member_id;
    if (holder->id != named.member_id) return protocol::Error::fenced_instance_id;
  }
  return roster.find(named.member_id) == nullptr ? protocol::Error::unknown_member_id
                                                 : protocol::Error::none;
}

}  // namespace muster::classic
