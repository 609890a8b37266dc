// What `muster topic` and `muster group` have in common: which host they ask, and how they print.
// Owner: host/cli.
#pragma once

#include "cli/client/client.hpp"
#include "cli/commands.hpp"

#include <map>

namespace muster::host {

struct RemoteScope {
  std::string server;       // HOST:PORT; otherwise the socket in the data folder:
  std::string data_dir;     // this one,
  std::string config_file;  // or this file's, or else the built-in configuration's
  std::uint32_t timeout_s = 15;
  bool json = false;
};

// Where to look, from what the command line says.
[[nodiscard]] Outcome<Target> target_of(const RemoteScope& scope);
[[nodiscard]] Outcome<Client> connect(const RemoteScope& scope);

// Says why on standard error; the exit code.
[[nodiscard]] ExitCode complain(const Failure& failure, const Streams& streams);

// Partitions of topics by name, and an offset of each, or the error's name instead of it.
using TopicPartitions = std::map<std::string, std::vector<std::int32_t>>;
using PartitionOffsets =
    std::map<std::pair<std::string, std::int32_t>, std::expected<std::int64_t, std::string>>;

inline constexpr std::int64_t earliest_timestamp = -2;
inline constexpr std::int64_t latest_timestamp = -1;
[[nodiscard]] Outcome<PartitionOffsets> list_offsets(Client& client,
                                                     const TopicPartitions& partitions,
                                                     std::int64_t timestamp);

}  // namespace muster::host
