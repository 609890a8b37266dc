// From definitions and bindings to exports and states.
#include "plugins/registry.hpp"

#include "fixtures.hpp"
#include "plugins/probe.hpp"
#include "support/scratch_folder.hpp"

#include <muster/abi/partition_assignor.h>
#include <muster/abi/store.h>

#include <gmock/gmock.h>

namespace muster::host {
namespace {

using testing::bad_plugin;
using testing::definition;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::no_probing;

// Fixtures that load well stand for good plugins here.
class RegistryTest : public ::testing::Test {
 protected:
  RegistryTest() {
    config_.plugins = {definition("store", bad_plugin("store_fences")),
                       definition("one", bad_plugin("assign_twice")),
                       definition("two", bad_plugin("assign_fails")),
                       definition("proto", bad_plugin("decide_nothing"))};
  }
  std::unique_ptr<Registry> load() {
    auto registry = Registry::load(config_, environment_);
    EXPECT_TRUE(registry) << registry.error().to_string();
    return registry ? std::move(*registry) : nullptr;
  }
  std::string errors() {
    const auto registry = Registry::load(config_, environment_);
    return registry ? "" : registry.error().to_string();
  }
  void bind(BoundName& target, const std::string& name) { target = {name, {"c.toml", 9}}; }

  HostConfig config_;
  RegistryEnvironment environment_ = no_probing();
};

TEST_F(RegistryTest, FindsExportsInTheOrderOfTheDefinitions) {
  const auto registry = load();
  const auto assignors = registry->find_exports(MUSTER_IFACE_PARTITION_ASSIGNOR);

  ASSERT_EQ(assignors.size(), 2u);
  EXPECT_EQ(assignors[0].definition, "one");
  EXPECT_EQ(assignors[0].name, "assign_twice");
  EXPECT_EQ(assignors[1].definition, "two");
  EXPECT_NE(assignors[1].table, nullptr);
}

TEST_F(RegistryTest, FindsOneExportByNameOrDefinitionAndName) {
  config_.plugins.push_back(definition("twin", bad_plugin("assign_twice")));
  const auto registry = load();
  const auto find = [&](std::string_view name) {
    return registry->find_export(MUSTER_IFACE_PARTITION_ASSIGNOR, name);
  };

  EXPECT_EQ(find("assign_fails")->definition, "two");
  EXPECT_EQ(find("twin/assign_twice")->definition, "twin");
  EXPECT_EQ(find("assign_twice").error(), "'assign_twice' is offered by 'one' and 'twin'");
  EXPECT_EQ(find("two/assign_twice").error(),
            "no loaded plugin offers 'two/assign_twice' as muster.consumer.partition-assignor/1");
}

TEST_F(RegistryTest, BindsStoreAndGroups) {
  bind(config_.bind.store, "store");
  config_.bind.groups = {{"proto", {}}};
  const auto registry = load();

  EXPECT_EQ(registry->bound_store().definition, "store");
  EXPECT_EQ(registry->bound_store().interface_id, MUSTER_IFACE_STORE);
  ASSERT_EQ(registry->bound_groups().size(), 1u);
  EXPECT_EQ(registry->bound_groups()[0].name, "decide_nothing");
}

TEST_F(RegistryTest, BindingToTheWrongKindIsRefused) {
  bind(config_.bind.store, "one");
  EXPECT_EQ(errors(), "c.toml:9: plugin 'one' offers no muster.store/1");
  bind(config_.bind.store, "store/other");
  EXPECT_EQ(errors(),
            "c.toml:9: plugin 'store' offers no muster.store/1 of that name: store/other");
}

TEST_F(RegistryTest, RefusedPluginStopsTheHostUnlessItIsOptional) {
  config_.plugins[1] = definition("one", bad_plugin("null_slot"));
  EXPECT_THAT(errors(), ::testing::StartsWith("c.toml:4: plugin 'one' is refused: "));
  const auto refused = Registry::load(config_, environment_);
  EXPECT_TRUE(refused.error().errors[0].about_plugin);

  config_.plugins[1].optional = true;
  const auto registry = load();
  EXPECT_EQ(registry->statuses()[1].state, LoadState::refused);
  EXPECT_THAT(registry->statuses()[1].why, HasSubstr("'assign' is NULL"));
  EXPECT_EQ(registry->find_exports(MUSTER_IFACE_PARTITION_ASSIGNOR).size(), 1u);
}

TEST_F(RegistryTest, DisabledAndOptionalPluginsMayBeLeftOutOfGroupsOnly) {
  config_.plugins[3].enabled = false;
  config_.bind.groups = {{"proto", {"c.toml", 8}}};
  EXPECT_TRUE(load()->bound_groups().empty());

  config_.plugins[0].enabled = false;
  bind(config_.bind.store, "store");
  EXPECT_EQ(errors(), "c.toml:9: 'store' is needed here, but is disabled");

  config_.plugins[0] = definition("store", bad_plugin("no_exports"));
  config_.plugins[0].optional = true;
  EXPECT_THAT(errors(), HasSubstr("c.toml:9: 'store' is needed here, but is refused: "));
}

TEST_F(RegistryTest, RefusedStoreIsComplainedOfOnce) {
  config_.plugins[0] = definition("store", bad_plugin("no_exports"));
  bind(config_.bind.store, "store");
  EXPECT_THAT(errors(), ::testing::Not(HasSubstr("needed")));
}

TEST_F(RegistryTest, LooksForIdsOnTheSearchPath) {
  environment_.search_path = {MUSTER_BAD_PLUGINS};
  config_.plugins = {definition("a", "")};
  config_.plugins[0].id = "org.example.bad.assign_fails";
  EXPECT_EQ(load()->statuses()[0].file, bad_plugin("assign_fails"));

  config_.plugins[0].id = "org.example.bad.asign_fails";
  EXPECT_THAT(errors(), HasSubstr("did you mean 'org.example.bad.assign_fails'?"));
}

TEST_F(RegistryTest, MissingFileAndWrongIdAreSaid) {
  config_.plugins = {definition("a", "/nowhere/a.so")};
  EXPECT_EQ(errors(), "c.toml:4: plugin 'a' is refused: /nowhere/a.so does not exist");

  config_.plugins = {definition("a", bad_plugin("assign_fails"))};
  config_.plugins[0].id = "org.example.mine";
  EXPECT_THAT(errors(),
              HasSubstr("is of 'org.example.bad.assign_fails', not of 'org.example.mine'"));
}

TEST_F(RegistryTest, QuarantineShowsInTheStates) {
  const auto registry = load();
  registry->quarantine("two", "it failed 8 times");
  registry->quarantine("nobody", "?");

  EXPECT_EQ(registry->statuses()[2].state, LoadState::quarantined);
  EXPECT_THAT(registry->statuses_json(), HasSubstr("\"why\": \"it failed 8 times\""));
  EXPECT_THAT(registry->statuses_json(), HasSubstr("\"state\": \"loaded\""));
}

TEST_F(RegistryTest, LibraryThatPassedIsNotTriedAgain) {
  const muster::testing::ScratchFolder folder;
  environment_ = testing::probing();
  environment_.cache_dir = folder.path();
  config_.plugins = {definition("one", bad_plugin("assign_twice"))};
  load();
  const auto hash = content_hash(bad_plugin("assign_twice"));
  ASSERT_TRUE(hash);
  EXPECT_TRUE(ProbeCache(folder.path()).knows(*hash));

  environment_.executable = "/nowhere/muster";
  EXPECT_EQ(errors(), "");
}

TEST_F(RegistryTest, LibraryThatFailedIsTriedAgain) {
  const muster::testing::ScratchFolder folder;
  environment_ = testing::probing();
  environment_.cache_dir = folder.path();
  config_.plugins = {definition("one", bad_plugin("entry_crashes"))};
  EXPECT_THAT(errors(), HasSubstr("its entry "));
  EXPECT_THAT(errors(), HasSubstr("its entry "));
}

TEST_F(RegistryTest, DeclarersAreTheLoadedDefinitions) {
  config_.plugins[2].enabled = false;
  std::vector<std::string> names;
  const auto registry = load();
  for (const OptionDeclarer& declarer : registry->option_declarers()) {
    names.push_back(declarer.definition);
  }
  EXPECT_THAT(names, ElementsAre("store", "one", "proto"));
}

TEST_F(RegistryTest, CompositionChecksOptionsAgainstWhatIsLoaded) {
  config_.options = {{"x.y", ValueKind::integer, "1", {}, false, {"c.toml", 20}}};
  const auto composition = compose(config_, environment_);
  ASSERT_FALSE(composition);
  EXPECT_EQ(composition.error().to_string(), "c.toml:20: unknown option 'x.y'");
}

}  // namespace
}  // namespace muster::host
