// How jemalloc works in this process; it reads this before main. What is free goes back to the
// system after a second, not ten: hosts are to be small.
extern "C" {
// NOLINTNEXTLINE(readability-identifier-naming): its name is jemalloc's
extern const char* malloc_conf;
const char* malloc_conf = "dirty_decay_ms:1000,muzzy_decay_ms:0";
}
