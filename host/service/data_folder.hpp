// The folder that holds everything that is kept, `host.data_dir`. It is made and locked when the
// first one asks for it; only a host that keeps something must have it.
//
// Threads: any. The lock is let go when this ends, or with the process.
#pragma once

#include <expected>
#include <filesystem>
#include <mutex>
#include <string>

namespace muster::host {

class DataFolder {
 public:
  explicit DataFolder(std::filesystem::path root);
  ~DataFolder();
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  // Where the plugin of that definition keeps what is its own. The error is one sentence.
  [[nodiscard]] std::expected<std::filesystem::path, std::string> folder_of(
      const std::string& definition);
  // Makes it this host's own, for files of the host itself; empty, or why that cannot be.
  [[nodiscard]] std::string claim();
  // Why a plugin got no folder; empty: nobody was refused.
  [[nodiscard]] std::string fault() const;

 private:
  std::string take();
  std::string make(const std::filesystem::path& folder) const;
  std::string lock();

  const std::filesystem::path root_;
  mutable std::mutex mutex_;
  int locked_ = -1;
  std::string fault_;
};

}  // namespace muster::host
