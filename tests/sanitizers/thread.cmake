# Read by ctest in a build with the thread sanitizer, so that every test has it, and what else is set.
set(ENV{TSAN_OPTIONS} "$ENV{TSAN_OPTIONS} suppressions=${CMAKE_CURRENT_LIST_DIR}/thread.supp")
