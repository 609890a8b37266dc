// See allocator.hpp.
#include "service/allocator.hpp"

#include <algorithm>
#include <thread>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace muster::host {

void keep_little_freed_memory() {
#if defined(__GLIBC__)
  constexpr int kib = 1024;
  const auto cores = static_cast<int>(std::thread::hardware_concurrency());
  ::mallopt(M_ARENA_MAX, std::max(2, cores));
  // Blocks of this size come from the system and go back to it at once: those of RocksDB's memory
  // tables do. Saying it ends the learning; frames of requests are smaller as a rule.
  ::mallopt(M_MMAP_THRESHOLD, 512 * kib);
  ::mallopt(M_TRIM_THRESHOLD, 256 * kib);
#endif
}

}  // namespace muster::host
