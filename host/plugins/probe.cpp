// probe_here: what the child does.
#include "plugins/probe.hpp"

#include "config/options.hpp"
#include "plugins/create.hpp"
#include "plugins/library.hpp"
#include "plugins/probe_host.hpp"

#include <muster/abi/group_protocol.h>
#include <muster/abi/partition_assignor.h>

#include <sys/prctl.h>
#include <sys/resource.h>

#include <csignal>
#include <cstdio>

namespace muster::host {
namespace {

constexpr int refused = 4;

void say(const std::string& stage) {
  std::printf("muster-probe %s\n", stage.c_str());
  std::fflush(stdout);
}

// Stores and brokers open files when they are created; trying that would leave traces.
bool does_no_io(std::string_view interface_id) {
  return interface_id == MUSTER_IFACE_GROUP_PROTOCOL ||
         interface_id == MUSTER_IFACE_PARTITION_ASSIGNOR;
}

// A create that fails cleanly is no reason to refuse here: it may miss the rest of the host.
void create_each(const muster_plugin& plugin) {
  OptionDeclarer declarer{"probed", {}};
  for (std::uint32_t i = 0; i < plugin.export_count; ++i) {
    declarer.exports.push_back(&plugin.exports[i]);
  }
  const auto options = Options::build({{declarer}, {}, {}, true});
  if (!options) return;
  const muster_options* table = (*options)->table_for("probed");
  for (const muster_export* exported : declarer.exports) {
    if (!does_no_io(exported->interface_id)) continue;
    say(std::string("create ") + exported->name);
    const auto instance = create_instance(
        {"probed", exported->name, exported->interface_id, exported->table, exported}, probe_host(),
        *table);
    if (instance) destroy_instance(*instance);
  }
}

}  // namespace

int probe_here(const std::filesystem::path& library) {
  const rlimit no_core{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &no_core);
  // What hangs here must not outlive a host that was ended meanwhile.
  (void)::prctl(PR_SET_PDEATHSIG, SIGKILL);
  say("entry");
  const auto loaded = Library::load(library);
  if (!loaded) {
    say("refused " + loaded.error());
    return refused;
  }
  create_each(loaded->descriptor());
  say("passed");
  return 0;
}

}  // namespace muster::host
