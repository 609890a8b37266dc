// Counts what the test program takes from the heap. Tests only; one thread.
#pragma once

#include <cstddef>

namespace muster::consumer {

std::size_t allocations_so_far();

}  // namespace muster::consumer
