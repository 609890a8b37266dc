// One client connection: reads frames, hands requests on, writes answers in request order.
//
// Threads: everything runs on the connection's own context but `deliver`, `close` and `drain`,
// which are [any]. Answers made elsewhere lie in a mailbox and are fetched by one post for as many
// as come meanwhile.
#pragma once

#include "dispatch/dispatcher.hpp"
#include "net/answer_queue.hpp"
#include "net/frames.hpp"
#include "net/in_flight.hpp"
#include "net/server.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/steady_timer.hpp>

namespace muster::host {

// TCP, or the local socket.
using StreamSocket = boost::asio::generic::stream_protocol::socket;

// What all connections of a server share.
struct ConnectionShared {
  ServerParts parts;
  InFlight in_flight;
  std::function<void(std::uint64_t)> ended;

  explicit ConnectionShared(ServerParts its_parts)
      : parts(its_parts), in_flight(its_parts.limits.in_flight_bytes) {}
};

struct ConnectionIdentity {
  std::uint64_t id = 0;
  std::string listener;
  std::string client_host;  // "/127.0.0.1"
  std::string principal = "User:ANONYMOUS";
};

class Connection : public AnswerSink, public std::enable_shared_from_this<Connection> {
 public:
  Connection(boost::asio::io_context& context, StreamSocket socket,
             std::shared_ptr<ConnectionShared> shared, ConnectionIdentity identity);
  ~Connection() override;

  void start();
  void deliver(std::uint64_t slot, Answer answer) override;
  [[nodiscard]] bool takes_files() const override { return true; }
  void close();
  void drain();
  void close_if_idle(std::int64_t since_ms);

 private:
  boost::asio::awaitable<void> run();
  // Handles whole frames while the limits allow. False: an illegal one, nothing more may be read.
  bool handle_frames();
  bool handle_frame(Bytes frame);
  // Within the limits of this connection; and of the host.
  bool has_room() const;
  bool may_read() const;
  boost::asio::awaitable<void> wait_for_room();
  void resume();
  // Looks whether the peer is gone, where reading would not show it.
  bool hung_up();

  void take(std::uint64_t slot, Answer answer);
  void fetch_mailbox();
  void flush();
  bool send_now();
  std::size_t send_some(boost::system::error_code& error);
  void send_rest();
  void shut();

  boost::asio::io_context& context_;
  StreamSocket socket_;
  std::shared_ptr<ConnectionShared> shared_;
  const ConnectionIdentity identity_;
  boost::asio::steady_timer room_;  // cancelled when there is room to read again
  Frames frames_;
  AnswerQueue answers_;
  TouchedShards touched_;
  OutBuffer out_;
  OutBuffer sending_;
  std::size_t sent_ = 0;
  std::size_t counted_bytes_ = 0;  // of ours in the host-wide sum
  bool handling_ = false;
  bool writing_ = false;
  bool closing_ = false;  // after what is in the buffers
  bool shut_ = false;
  bool draining_ = false;  // reads nothing more; closes once what is owed is out
  bool deaf_ = false;      // our own doing: the socket gives nothing more to read
  bool waits_for_room_ = false;
  bool asked_host_ = false;      // the host-wide limit will call back
  bool stalled_frames_ = false;  // the limits left frames unhandled that may be whole
  std::atomic<std::int64_t> active_ms_;

  struct Delivered {
    std::uint64_t slot;
    OwnedAnswer answer;
  };
  std::mutex mailbox_mutex_;
  std::vector<Delivered> mailbox_;
};

}  // namespace muster::host
