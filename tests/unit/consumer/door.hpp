// The plugin under test behind its two doors: linked into the test, and the library that was built.
// Tests only.
#pragma once

#include <gtest/gtest.h>
#include <muster/abi/plugin.h>

#include <ostream>
#include <string>

namespace muster::consumer {

enum class Door { linked, built };

std::ostream& operator<<(std::ostream& out, Door door);
std::string door_name(const ::testing::TestParamInfo<Door>& info);
const muster_plugin& plugin_behind(Door door);

}  // namespace muster::consumer

// Every test of the suite through both doors.
#define BOTH_DOORS(suite)                                                                        \
  INSTANTIATE_TEST_SUITE_P(                                                                      \
      , suite, ::testing::Values(muster::consumer::Door::linked, muster::consumer::Door::built), \
      muster::consumer::door_name)
