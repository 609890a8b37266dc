// One Asio context a thread, and which of them this thread runs. Owner: IoPool.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <atomic>
#include <deque>

namespace muster::host {

struct IoContexts {
  using Guard = boost::asio::executor_work_guard<boost::asio::io_context::executor_type>;

  explicit IoContexts(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      all.emplace_back(1);  // run by one thread only
      guards.emplace_back(all.back().get_executor());
    }
  }

  boost::asio::io_context& next() {
    return all[turn.fetch_add(1, std::memory_order_relaxed) % all.size()];
  }
  // The context whose thread this is, or NULL.
  static boost::asio::io_context*& current() {
    static thread_local boost::asio::io_context* mine = nullptr;
    return mine;
  }

  std::deque<boost::asio::io_context> all;
  std::deque<Guard> guards;
  std::atomic<std::size_t> turn{0};
};

}  // namespace muster::host
