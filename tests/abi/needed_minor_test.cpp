// A plugin asks for the oldest border that will do, so that a newer SDK does not shut out older
// hosts.
#include <muster/sdk/plugin.hpp>

#include <gtest/gtest.h>

// As the headers of a later minor would have it.
#undef MUSTER_ABI_MINOR
#define MUSTER_ABI_MINOR 7
#define MUSTER_PLUGIN_ID "org.example.needs-little"
#define MUSTER_PLUGIN_VERSION "0.1.0"
#define MUSTER_PLUGIN_LICENSE "Apache-2.0"

namespace {
struct Nothing {
  void assign(const muster::sdk::PartitionView&, muster::sdk::PartitionSink&) const {}
};
}  // namespace

MUSTER_PLUGIN(MUSTER_PARTITION_ASSIGNOR(Nothing, "nothing"));

TEST(PluginMacro, NeedsTheMinorThatItUsesNotTheOneItWasBuiltWith) {
  EXPECT_EQ(muster_plugin_entry(MUSTER_ABI_MAJOR)->abi_minor, 1U);
}
