// Runs a suite twice: with the plugin linked in and with its library loaded. Tests only.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "assignor.hpp"

namespace muster::assignors {

inline std::string name_of(const testing::TestParamInfo<Linked>& info) {
  return info.param == Linked::statically ? "Linked" : "Library";
}

class RangeAssignor : public testing::TestWithParam<Linked> {
 protected:
  const Assignor range{"range", GetParam()};
};

class UniformAssignor : public testing::TestWithParam<Linked> {
 protected:
  const Assignor uniform{"uniform", GetParam()};
};

class RackAwareRange : public testing::TestWithParam<Linked> {
 protected:
  const Assignor range{"range", GetParam(), by_racks};
};

class RackAwareUniform : public testing::TestWithParam<Linked> {
 protected:
  const Assignor uniform{"uniform", GetParam(), by_racks};
};

}  // namespace muster::assignors

#define MUSTER_LINKED_AND_LOADED(suite)                                                            \
  INSTANTIATE_TEST_SUITE_P(Plugin, suite, testing::Values(Linked::statically, Linked::as_library), \
                           name_of)
