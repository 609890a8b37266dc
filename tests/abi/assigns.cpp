// assigns PLUGIN.so: calls the library's first partition assignor as the host would. Exit code 0 =
// its result is one that the host takes.
#include <muster/testing/assignor_rig.hpp>
#include <muster/testing/partition_view_builder.hpp>

#include <dlfcn.h>

#include <iostream>

int main(int argc, char** argv) {
  void* library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : nullptr;
  void* entry = library == nullptr ? nullptr : dlsym(library, MUSTER_PLUGIN_ENTRY_NAME);
  if (entry == nullptr) {
    std::cerr << (argc == 2 ? dlerror() : "usage: assigns PLUGIN.so") << '\n';
    return 2;
  }
  muster::testing::AssignorRig rig(reinterpret_cast<muster_plugin_entry_fn>(entry)(0));
  muster::testing::PartitionViewBuilder nobody;
  muster::testing::PartitionViewBuilder group;
  group.topic("orders", 3).topic("payments", 3);
  group.member({.id = "a", .topics = {"orders"}});
  group.member({.id = "b", .topics = {"orders", "payments"}});
  for (const auto* view : {&nobody.build(), &group.build()}) {
    const auto assigned = rig.assign(*view);
    if (!assigned.problem.empty()) {
      std::cerr << assigned.problem << '\n';
      return 1;
    }
  }
  return 0;
}
