# Read by ctest in a build with the thread sanitizer, so that every test has it.
set(ENV{TSAN_OPTIONS} "suppressions=${CMAKE_CURRENT_LIST_DIR}/thread.supp")
