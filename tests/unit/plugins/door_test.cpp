// Every plugin that is broken at the door: one sentence, and the host goes on.
#include "fixtures.hpp"

#include <gmock/gmock.h>

namespace muster::host {
namespace {

using testing::bad_plugin;
using testing::definition;
using ::testing::HasSubstr;
using ::testing::Not;

struct Broken {
  const char* name;
  std::vector<std::string> sentence_tells;
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }

std::string test_name(const ::testing::TestParamInfo<Broken>& info) { return info.param.name; }

std::string refusal(const std::string& name, const RegistryEnvironment& environment) {
  HostConfig config;
  config.plugins = {definition("p", bad_plugin(name))};
  config.plugins[0].optional = true;
  const auto registry = Registry::load(config, environment);
  if (!registry) return "";
  const PluginStatus status = (*registry)->statuses().at(0);
  EXPECT_EQ(status.state, LoadState::refused);
  EXPECT_TRUE((*registry)->option_declarers().empty());
  return status.why;
}

class BrokenAtTheDoor : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenAtTheDoor, IsRefusedInOneSentence) {
  const std::string why = refusal(GetParam().name, testing::no_probing());
  for (const std::string& words : GetParam().sentence_tells) EXPECT_THAT(why, HasSubstr(words));
  EXPECT_THAT(why, HasSubstr(GetParam().name));
  EXPECT_THAT(why, Not(HasSubstr("\n")));
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, BrokenAtTheDoor,
    ::testing::Values(Broken{"not_a_library", {"cannot be loaded: /", "file too short"}},
                      Broken{"missing_symbol", {"fixture_symbol_that_nobody_has"}},
                      Broken{"no_entry", {"does not export muster_plugin_entry"}},
                      Broken{"no_manifest", {"no_manifest/plugin.toml is missing"}},
                      Broken{"bad_manifest", {"bad_manifest/plugin.toml:1: "}},
                      Broken{"entry_null", {"does not serve a host of border 0.1"}},
                      Broken{"other_major", {"made for border 1.0", "this host has 0.1"}},
                      Broken{"newer_minor", {"needs border 0.99", "this host has 0.1"}},
                      Broken{"entry_throws", {"its entry threw"}},
                      Broken{"entry_changes", {"its entry is not pure"}},
                      Broken{"lying_id", {"'org.example.honest'", "'org.example.bad.lying_id'"}},
                      Broken{"lying_version", {"'9.9.9'", "'0.1.0'"}},
                      Broken{"lying_exports", {"'promised'"}}, Broken{"null_id", {"has no id"}},
                      Broken{"no_exports", {"offers nothing"}},
                      Broken{"duplicate_export",
                             {"muster.consumer.partition-assignor/1 'duplicate_export' twice"}},
                      Broken{"unknown_interface", {"muster.unheard-of/7"}},
                      Broken{
                          "null_table",
                          {"muster.consumer.partition-assignor/1 'null_table'", "table is NULL"}},
                      Broken{"short_plugin", {"descriptor is too short"}},
                      Broken{"short_table", {"too short for the slot 'assign'"}},
                      Broken{"null_slot", {"slot 'assign' is NULL"}},
                      Broken{"bad_option", {"'bad.option.number'", "'many'"}},
                      Broken{"unknown_option_type", {"'bad.option.number'", "unknown type 99"}}),
    test_name);

class BrokenInAChild : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenInAChild, IsRefusedInOneSentence) {
  const std::string why = refusal(GetParam().name, testing::probing());
  for (const std::string& words : GetParam().sentence_tells) EXPECT_THAT(why, HasSubstr(words));
  EXPECT_THAT(why, HasSubstr(std::string(GetParam().name) + ".so"));
  EXPECT_THAT(why, Not(HasSubstr("\n")));
}

INSTANTIATE_TEST_SUITE_P(
    Plugins, BrokenInAChild,
    ::testing::Values(Broken{"entry_crashes", {"its entry ", "process"}},
                      Broken{"entry_hangs", {"its entry hung for 2 s"}},
                      Broken{"create_crashes", {"its create of 'create_crashes' ", "process"}},
                      Broken{"create_hangs", {"its create of 'create_hangs' hung for 2 s"}},
                      Broken{"entry_throws", {"its entry threw"}},
                      Broken{"null_slot", {"slot 'assign' is NULL"}}),
    test_name);

}  // namespace
}  // namespace muster::host
