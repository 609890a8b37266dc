// Where a running host is reached on its own machine: a socket in its data folder. Owner:
// host/config. Pure.
#pragma once

#include <filesystem>

namespace muster::host {

[[nodiscard]] inline std::filesystem::path local_socket_in(const std::filesystem::path& data_dir) {
  return data_dir / "muster.sock";
}

// What the system takes as the path of a socket, with the byte that ends it.
inline constexpr std::size_t socket_path_bytes_max = 108;

}  // namespace muster::host
