// How the process' allocator keeps memory. Host; before any thread.
#pragma once

namespace muster::host {

// The C library's allocator keeps what was freed, in up to eight arenas a core, and learns from
// large blocks to keep those as well: after a burst that is half of the process.
void keep_little_freed_memory();

}  // namespace muster::host
