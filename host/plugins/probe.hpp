// Trying a library in a process of its own, so that what crashes or hangs there is a refused plugin
// and not a dead host. Owner: host/plugins. [control]
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>

namespace muster::host {

// The child's side: loads the library, creates what does no I/O when created (group protocols and
// assignors), and says on standard output how far it came. Returns the exit code.
[[nodiscard]] int probe_here(const std::filesystem::path& library);

struct ProbeRequest {
  std::filesystem::path executable;  // run as `EXECUTABLE plugin probe --here LIBRARY`
  std::filesystem::path library;
  std::chrono::milliseconds patience{2000};  // from the moment the library is touched
};

// The parent's side. The error is one sentence that names the library.
[[nodiscard]] std::expected<void, std::string> probe_in_child(const ProbeRequest& request);

// Libraries that have passed, by content: a file of hashes that survives restarts.
class ProbeCache {
 public:
  // An empty folder: nothing is remembered.
  explicit ProbeCache(std::filesystem::path folder);
  [[nodiscard]] bool knows(std::uint64_t content_hash) const;
  // A cache that cannot be written only costs another probe.
  void add(std::uint64_t content_hash);

 private:
  std::filesystem::path file_;
};

[[nodiscard]] std::expected<std::uint64_t, std::string> content_hash(
    const std::filesystem::path& file);

}  // namespace muster::host
