// A plugin under test behind its two doors: linked into the test, and the library that was built.
// A test's CMakeLists.txt says which (muster_doors_of).
#pragma once

#include <gtest/gtest.h>
#include <muster/abi/plugin.h>

#include <ostream>
#include <string>

namespace muster::testing {

enum class Door { linked, built };

std::ostream& operator<<(std::ostream& out, Door door);
std::string door_name(const ::testing::TestParamInfo<Door>& info);
// Where the built one lies.
const char* plugin_file();
const muster_plugin& plugin_behind(Door door);

}  // namespace muster::testing

// Every test of the suite through both doors.
#define BOTH_DOORS(suite)                                                                      \
  INSTANTIATE_TEST_SUITE_P(                                                                    \
      , suite, ::testing::Values(muster::testing::Door::linked, muster::testing::Door::built), \
      muster::testing::door_name)
