// Members of consumer groups on raw connections, and a host with an assignor that takes five
// seconds.
#pragma once

#include "served.hpp"

#include <muster/protocol/messages/consumer_group_heartbeat_request.hpp>
#include <muster/protocol/messages/consumer_group_heartbeat_response.hpp>

#include <memory>
#include <string>

namespace muster::sockets {

using Heard = Answered<protocol::ConsumerGroupHeartbeatResponse>;

// A member of a group that subscribes to topic "t" and beats on a connection of its own.
class Beating {
 public:
  Beating(std::uint16_t port, std::string group, std::string assignor);

  Heard join();
  Heard beat();
  // Joins, but leaves the answer to `heard`.
  void send_join();
  Heard heard();

 private:
  void send(protocol::ConsumerGroupHeartbeatRequest beat);

  Client client_;
  std::string group_;
  std::string member_id_;
  std::string assignor_;
  std::int32_t epoch_ = 0;
  std::int32_t correlation_id_ = 0;
};

// One shard, one thread that serves, a topic "t" of 4 partitions, and one more assignor, of
// tests/bad_plugins.
class SleepyHost {
 public:
  explicit SleepyHost(const std::string& set, const std::string& assignor = "assign_sleeps");

  [[nodiscard]] Served& host() const { return *host_; }

 private:
  ScratchFolder config_;
  std::unique_ptr<Served> host_;
};

}  // namespace muster::sockets
