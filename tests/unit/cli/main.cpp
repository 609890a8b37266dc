// Runs the tests, or, called as the host calls itself to try a plugin, that command.
#include "cli/cli.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <string_view>

int main(int argc, char** argv) {
  // No folder: what these tests try is not remembered for the user.
  ::setenv("XDG_CACHE_HOME", "/dev/null/none", 1);
  if (argc > 1 && std::string_view(argv[1]) == "plugin") {
    return muster::host::run_cli(argc, argv, {});
  }
  ::testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
