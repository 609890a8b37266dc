// The file of a listening socket in the data folder. It takes the place of what a killed host left
// there, never that of a living one, and is removed with this object. Owner: the server. [control]
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include <sys/types.h>

namespace muster::host {

class LocalSocketFile {
 public:
  LocalSocketFile(LocalSocketFile&& other) noexcept;
  LocalSocketFile& operator=(LocalSocketFile&&) = delete;
  ~LocalSocketFile();

  // Binds an open unix socket that does not listen yet; only this user may connect. Otherwise one
  // sentence why not.
  [[nodiscard]] static std::expected<LocalSocketFile, std::string> bind(
      int socket, const std::filesystem::path& path);

 private:
  explicit LocalSocketFile(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;  // empty: moved away
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

}  // namespace muster::host
