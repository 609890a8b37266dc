#include "heartbeats.hpp"

#include "topics.hpp"

namespace muster::sockets {

using protocol::ConsumerGroupHeartbeatRequest;
using protocol::ConsumerGroupHeartbeatResponse;

Beating::Beating(std::uint16_t port, std::string group, std::string assignor)
    : client_(port),
      group_(std::move(group)),
      member_id_("member-of-" + group_),
      assignor_(std::move(assignor)) {}

void Beating::send_join() {
  ConsumerGroupHeartbeatRequest beat;
  beat.rebalance_timeout_ms = 60000;
  beat.subscribed_topic_names.emplace().push_back("t");
  beat.server_assignor = assignor_;
  beat.topic_partitions.emplace();
  send(std::move(beat));
}

Heard Beating::join() {
  send_join();
  return heard();
}

Heard Beating::beat() {
  ConsumerGroupHeartbeatRequest beat;
  beat.member_epoch = epoch_;
  send(std::move(beat));
  return heard();
}

void Beating::send(ConsumerGroupHeartbeatRequest beat) {
  beat.group_id = group_;
  beat.member_id = member_id_;
  EXPECT_TRUE(client_.send(request(beat, 1, ++correlation_id_)));
}

Heard Beating::heard() {
  Heard heard = client_.receive_as<ConsumerGroupHeartbeatResponse>(1, correlation_id_);
  epoch_ = heard.message.member_epoch;
  return heard;
}

SleepyHost::SleepyHost(const std::string& set, const std::string& assignor) {
  const std::string library = MUSTER_BAD_PLUGINS "/" + assignor + "/" + assignor + ".so";
  const auto file =
      with_assignor(config_.path(), library, R"(["uniform", "mine/)" + assignor + R"("])");
  host_ = std::make_unique<Served>(
      std::vector<std::string>{"host.threads=1", "offsets.topic.num.partitions=1", set}, file);
  Client client(host_->port());
  create_topic(client, "t", 4);
  find_coordinator(client, "slow");
}

}  // namespace muster::sockets
