// A group's state as text, and what a consumer group subscribes to, from what its members sent.
// [shard]
#include <muster/protocol/messages/consumer_protocol_subscription.hpp>
#include <muster/protocol/reader.hpp>

#include "group.hpp"

namespace muster::classic {
namespace {

// Read as version 0, which every version begins with, so that clients may be newer than this.
bool add_topics(const protocol::Buffer& metadata, std::set<std::string, std::less<>>& topics) {
  protocol::Reader in(metadata);
  if (in.read_int16() < 0 || !in.ok()) return false;
  protocol::ConsumerProtocolSubscription subscription;
  subscription.read(in, 0);
  if (!in.ok()) return false;
  for (const std::string_view topic : subscription.topics) topics.emplace(topic);
  return true;
}

Subscription subscription_of(const Group& group) {
  const Header& header = group.header;
  if (!header.is_consumers()) return std::nullopt;
  std::set<std::string, std::less<>> topics;
  if (group.roster.members().empty()) return topics;
  if (!header.protocol_name) return std::nullopt;
  for (const auto& [id, member] : group.roster.members()) {
    const protocol::Buffer* metadata = member.metadata(*header.protocol_name);
    if (metadata == nullptr || !add_topics(*metadata, topics)) return std::nullopt;
  }
  return topics;
}

}  // namespace

std::string_view to_text(GroupState state) {
  switch (state) {
    case GroupState::empty: return "Empty";
    case GroupState::preparing_rebalance: return "PreparingRebalance";
    case GroupState::completing_rebalance: return "CompletingRebalance";
    case GroupState::stable: return "Stable";
  }
  return "Dead";
}

const Subscription& Group::subscription() const {
  if (!subscription_) subscription_ = subscription_of(*this);
  return *subscription_;
}

}  // namespace muster::classic
