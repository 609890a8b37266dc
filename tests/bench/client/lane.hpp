// One client of a load tool: requests that are under way on a connection, and their answers as they
// come. A tool polls all lanes on one thread.
#pragma once

#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <stdexcept>
#include <utility>
#include <vector>

#include "client/kafka_client.hpp"
#include "client/measures.hpp"

namespace muster::bench {

class Lane {
 public:
  Lane(const std::string& host, std::uint16_t port) : connection_(host, port), in_(64u << 10) {}

  KafkaConnection& connection() { return connection_; }
  std::size_t under_way() const { return sent_.size(); }

  // Whole request frames, `count` of them.
  void send(const protocol::Buffer& frames, int count = 1) {
    sent_.insert(sent_.end(), static_cast<std::size_t>(count), Clock::now());
    connection_.send_all(frames);
  }

  // Reads what there is; take(frame, sent_at) for every whole answer, without its length.
  template <class Take>
  int receive(Take take) {
    const ssize_t got = ::recv(connection_.socket(), in_.data() + have_, in_.size() - have_, 0);
    if (got <= 0) throw std::runtime_error("the server closed the connection");
    have_ += static_cast<std::size_t>(got);
    std::size_t at = 0;
    int answers = 0;
    std::size_t size = 0;
    while (have_ - at >= 4) {
      size = frame_size(in_.data() + at);
      if (have_ - at - 4 < size) break;
      const auto sent_at = sent_.front();
      sent_.pop_front();
      take(protocol::Bytes(in_.data() + at + 4, size), sent_at);
      at += 4 + size;
      ++answers;
    }
    std::copy(in_.begin() + static_cast<std::ptrdiff_t>(at),
              in_.begin() + static_cast<std::ptrdiff_t>(have_), in_.begin());
    have_ -= at;
    if (have_ >= 4 && size + 4 > in_.size()) in_.resize(size + 4);
    return answers;
  }

 private:
  static std::size_t frame_size(const std::uint8_t* p) {
    return std::size_t{p[0]} << 24 | std::size_t{p[1]} << 16 | std::size_t{p[2]} << 8 | p[3];
  }

  KafkaConnection connection_;
  std::deque<Clock::time_point> sent_;
  protocol::Buffer in_;
  std::size_t have_ = 0;
};

// Looks at all lanes at once.
class Poll {
 public:
  explicit Poll(std::vector<Lane>& lanes) : poll_(::epoll_create1(0)) {
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      epoll_event event{};
      event.events = EPOLLIN;
      event.data.u64 = i;
      ::epoll_ctl(poll_, EPOLL_CTL_ADD, lanes[i].connection().socket(), &event);
    }
  }
  ~Poll() { ::close(poll_); }
  Poll(const Poll&) = delete;
  Poll& operator=(const Poll&) = delete;

  // Calls ready(index of the lane) where there is something to read; waits a little for it.
  template <class Ready>
  void wait(Ready ready) {
    constexpr int wait_ms = 100;
    epoll_event events[64];
    const int count = ::epoll_wait(poll_, events, 64, wait_ms);
    for (int i = 0; i < count; ++i) ready(static_cast<std::size_t>(events[i].data.u64));
  }

 private:
  int poll_;
};

// Calls ready(index of the lane) where there is something to read, until nothing is under way.
template <class Ready>
void poll_lanes(std::vector<Lane>& lanes, Ready ready) {
  Poll poll(lanes);
  const auto busy = [](const Lane& lane) { return lane.under_way() != 0; };
  while (std::ranges::any_of(lanes, busy)) poll.wait(ready);
}

}  // namespace muster::bench
