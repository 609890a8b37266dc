// The guarded create, over the broken plugins that only fail there.
#include "plugins/create.hpp"

#include "fixtures.hpp"
#include "plugins/library.hpp"
#include "plugins/probe_host.hpp"

#include <gmock/gmock.h>

namespace muster::host {
namespace {

using testing::bad_plugin;

std::string failure(const std::string& name) {
  const auto library = Library::load(bad_plugin(name));
  EXPECT_TRUE(library) << library.error();
  if (!library) return "";
  const muster_export& exported = library->descriptor().exports[0];
  const auto options = Options::build({{{"mine", {&exported}}}, {}, {}, true});
  EXPECT_TRUE(options);
  const auto instance =
      create_instance({"mine", exported.name, exported.interface_id, exported.table, &exported},
                      probe_host(), *(*options)->table_for("mine"));
  return instance ? "" : instance.error();
}

TEST(Create, FailureCarriesThePluginsMessage) {
  EXPECT_EQ(failure("create_fails"),
            "plugin 'mine': muster.consumer.partition-assignor/1 'create_fails' could not be "
            "created: the moon is not full");
}

TEST(Create, FailureWithoutAMessageSaysSo) {
  EXPECT_EQ(failure("create_fails_silently"),
            "plugin 'mine': muster.consumer.partition-assignor/1 'create_fails_silently' could "
            "not be created, and it does not say why");
}

TEST(Create, ExceptionIsCaught) {
  EXPECT_EQ(failure("create_throws"),
            "plugin 'mine': muster.consumer.partition-assignor/1 'create_throws' could not be "
            "created: it threw: thrown by create");
}

TEST(Create, GoodPluginGivesAnInstanceThatCanGo) {
  const auto library = Library::load(bad_plugin("assign_sleeps"));
  ASSERT_TRUE(library);
  const muster_export& exported = library->descriptor().exports[0];
  const auto options = Options::build({{{"mine", {&exported}}}, {}, {}, true});
  ASSERT_TRUE(options);
  const auto instance =
      create_instance({"mine", exported.name, exported.interface_id, exported.table, &exported},
                      probe_host(), *(*options)->table_for("mine"));
  ASSERT_TRUE(instance);
  EXPECT_NE(instance->self, nullptr);
  destroy_instance(*instance);
}

}  // namespace
}  // namespace muster::host
