// The rig sees what each broken assignor does wrong, and nothing wrong with a right one.
#include <muster/testing/assignor_rig.hpp>
#include <muster/testing/partition_view_builder.hpp>

#include <dlfcn.h>

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace {

using muster::testing::Assigned;
using muster::testing::AssignorRig;
using muster::testing::PartitionViewBuilder;

// The library stays mapped, as in a host.
const muster_plugin* load(const std::string& name) {
  const std::string file = std::string{BAD_PLUGINS_FOLDER "/"} + name + "/" + name + ".so";
  void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  void* symbol = dlsym(library, MUSTER_PLUGIN_ENTRY_NAME);
  muster_plugin_entry_fn entry = nullptr;
  std::memcpy(&entry, &symbol, sizeof entry);
  return entry(MUSTER_ABI_MAJOR);
}

std::string problem_of(const std::string& name) {
  PartitionViewBuilder group;
  group.topic("a", 2).topic("b", 2);
  group.member({.id = "m", .topics = {"a"}}).member({.id = "n", .topics = {"a", "b"}});
  AssignorRig rig(load(name));
  return rig.assign(group.build()).problem;
}

TEST(AssignorRig, FindsNothingWrongWithARightAssignment) {
  EXPECT_EQ(problem_of("no_manifest"), "");
}

TEST(AssignorRig, SeesEachBrokenPromise) {
  EXPECT_EQ(problem_of("assign_member_out_of_range"), "partition 0 is given to nobody");
  EXPECT_EQ(problem_of("assign_partition_out_of_range"), "partition 4 does not exist");
  EXPECT_EQ(problem_of("assign_range_overflows"), "partition 4294967295 does not exist");
  EXPECT_EQ(problem_of("assign_twice"), "partition 0 is given twice");
  EXPECT_EQ(problem_of("assign_to_non_subscriber"), "partition 2 went to a non-subscriber");
  EXPECT_EQ(problem_of("assign_incomplete"), "partition 0 has no owner");
  EXPECT_EQ(problem_of("assign_fails"), "failed with code 2: no assignment today");
  EXPECT_EQ(problem_of("assign_unknown_code"), "failed with code 77: ");
}

TEST(AssignorRig, CreateThatFailsSaysWhy) {
  PartitionViewBuilder group;
  AssignorRig rig(load("create_fails"));
  try {
    rig.assign(group.build());
    FAIL() << "created";
  } catch (const std::logic_error& error) {
    EXPECT_STREQ(error.what(), "create failed: the moon is not full");
  }
}

TEST(AssignorRig, CountsMovesAndSpread) {
  PartitionViewBuilder group;
  group.topic("a", 4);
  group.member({.id = "m", .topics = {"a"}, .owns = {{"a", {0, 1}}}});
  group.member({.id = "n", .topics = {"a"}, .owns = {{"a", {2}}}});
  const auto& view = group.build();
  const Assigned assigned{MUSTER_OK, "", {0, 1, 1, 1}, ""};
  EXPECT_EQ(muster::testing::moved(view, assigned), 1U);
  EXPECT_EQ(muster::testing::spread(view, assigned), 2U);
  EXPECT_EQ(assigned.of(1), (std::vector<std::uint32_t>{1, 2, 3}));
}

}  // namespace
