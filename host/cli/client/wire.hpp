// A connection to a host, over its local socket or TCP: whole frames, each wait bounded.
// Owner: host/cli. One thread.
#pragma once

#include "cli/client/failure.hpp"

#include <muster/protocol/types.hpp>

#include <chrono>
#include <filesystem>

namespace muster::host {

// Where the commands look for a host, and how long they wait for each answer.
struct Target {
  std::optional<Address> server;  // over TCP; otherwise the socket in the data folder
  std::filesystem::path data_dir;
  std::chrono::milliseconds patience{15000};

  [[nodiscard]] std::string text() const;  // "127.0.0.1:9092", "data/muster.sock"
};

class Wire {
 public:
  [[nodiscard]] static Outcome<Wire> connect(const Target& target);
  ~Wire();
  Wire(Wire&& other) noexcept;
  Wire& operator=(Wire&&) = delete;

  [[nodiscard]] const Target& target() const { return target_; }
  // Sends a frame with its length in front; the next frame that comes, without it.
  [[nodiscard]] Outcome<protocol::Buffer> exchange(protocol::Bytes frame);

 private:
  using Deadline = std::chrono::steady_clock::time_point;

  Wire(int socket, Target target) : socket_(socket), target_(std::move(target)) {}
  Outcome<void> send(protocol::Bytes bytes, Deadline until);
  Outcome<void> receive(std::span<std::uint8_t> into, Deadline until);

  int socket_;
  Target target_;
};

}  // namespace muster::host
