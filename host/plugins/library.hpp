// One plugin library, mapped and checked. Owner: host/plugins. The only class over Boost.DLL.
//
// Threads: [control] to load, then read only. The library stays mapped until the process ends, even
// if the Library object goes: timers and queued calls may still point into it.
#pragma once

#include <muster/abi/plugin.h>

#include <expected>
#include <filesystem>
#include <string>

namespace muster::host {

class Library {
 public:
  // Maps the file, calls its entry and checks what came back. The error is one sentence.
  [[nodiscard]] static std::expected<Library, std::string> load(const std::filesystem::path& file);

  [[nodiscard]] const muster_plugin& descriptor() const { return *descriptor_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }

 private:
  Library(std::filesystem::path file, const muster_plugin* descriptor)
      : file_(std::move(file)), descriptor_(descriptor) {}

  std::filesystem::path file_;
  const muster_plugin* descriptor_;
};

}  // namespace muster::host
