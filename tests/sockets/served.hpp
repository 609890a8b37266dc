// `muster serve` as a child process on free ports. It must outlive its test and end by SIGTERM with
// 0.
#pragma once

#include "client.hpp"
#include "support/scratch_folder.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace muster::sockets {

using testing::ScratchFolder;

class Served {
 public:
  // `sets` as of --set; an empty file: the built-in configuration.
  explicit Served(const std::vector<std::string>& sets = {},
                  const std::filesystem::path& file = {});
  // Stops it and expects that it goes well.
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] std::uint16_t admin_port() const { return admin_port_; }
  // Where it keeps its data, unless `sets` say otherwise.
  [[nodiscard]] std::filesystem::path data_dir() const { return folder_.path() / "data"; }
  // What it has logged.
  [[nodiscard]] std::string log() const;
  // Whether a new connection gets an answer.
  [[nodiscard]] bool answers() const;
  // A metric without labels, as /metrics has it now.
  [[nodiscard]] double metric(const std::string& name) const;
  void terminate() const;
  // Ends it with SIGKILL.
  void kill();
  // Its exit code once it has ended; below 0: a signal ended it.
  int wait();

 private:
  void start(const std::vector<std::string>& sets, const std::filesystem::path& file);
  void read_ports(int output);

  ScratchFolder folder_;
  pid_t pid_ = -1;
  int output_ = -1;
  std::uint16_t port_ = 0;
  std::uint16_t admin_port_ = 0;
};

// The embedded configuration with one more plugin and this list of assignors, written to a file.
std::filesystem::path with_assignor(const std::filesystem::path& folder,
                                    const std::filesystem::path& library,
                                    const std::string& assignors);

}  // namespace muster::sockets
