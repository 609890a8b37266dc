// Stands for the muster executable when a library is tried: `plugin probe --here FILE`.
#include "plugins/probe.hpp"

int main(int argc, char** argv) { return argc == 5 ? muster::host::probe_here(argv[4]) : 2; }
