// The program's own operator new, in a file apart so that no caller sees through it.
#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {
std::size_t allocations = 0;
}

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
// The library's temporary buffers come this way and go the ordinary one.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace muster::consumer {

std::size_t allocations_so_far() { return allocations; }

}  // namespace muster::consumer
