// The process: only wires.
#include "cli/cli.hpp"
#include "service/host.hpp"

int main(int argc, char** argv) {
  return muster::host::run_cli(argc, argv, {&muster::host::serve});
}
