// The library itself, loaded as the host does: one produce, one fetch, one end.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <muster/protocol/apis.hpp>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

const muster_plugin& load() {
  void* library = dlopen(MUSTER_EMBEDDED_FILE, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  const auto entry =
      reinterpret_cast<muster_plugin_entry_fn>(dlsym(library, MUSTER_PLUGIN_ENTRY_NAME));
  return *entry(MUSTER_ABI_MAJOR);
}

TEST(PluginFile, ServesWhatIsProduced) {
  const muster_plugin& plugin = load();
  EXPECT_STREQ(plugin.id, "org.muster.broker.embedded");
  BrokerRig rig(plugin, {{"num.partitions", "2"}});
  rig.watch();
  create(rig, "t", -1);

  EXPECT_EQ(produce(rig, "t", batch(3)).base_offset, 0);

  const auto fetched = rig.ask<protocol::FetchResponse>(fetch_request("t", 0), 12);
  EXPECT_EQ(fetched->responses[0].partitions[0].high_watermark, 3);
  EXPECT_EQ(rig.changes().at(1).at(0).topic->partitions, 2U);
}

TEST(PluginFile, ClaimsTheVersionsThatKafkaLists) {
  const muster_plugin& plugin = load();
  const auto* table = static_cast<const muster_broker_v1*>(plugin.exports[0].table);
  EXPECT_STREQ(plugin.exports[0].name, "embedded");
  ASSERT_EQ(table->api_count, 39U);
  for (std::uint32_t i = 0; i < table->api_count; ++i) {
    const muster_api_claim& claim = table->apis[i];
    const protocol::ApiInfo* listed = protocol::find_api(claim.key);
    ASSERT_NE(listed, nullptr);
    EXPECT_EQ(claim.min, listed->min_version) << listed->name;
    EXPECT_EQ(claim.max, listed->max_version) << listed->name;
    EXPECT_EQ(claim.first_flexible, listed->first_flexible_version) << listed->name;
    EXPECT_EQ(claim.scope, MUSTER_SCOPE_BROKER);
  }
}

}  // namespace
}  // namespace muster::embedded::test
