// "did you mean".
#include "config/nearest_name.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace muster::host {
namespace {

const std::vector<std::string> known{"group.consumer.assignors", "node.id",
                                     "group.streams.session.timeout.ms"};

TEST(NearestName, FindsTheNameWithOneSlip) {
  EXPECT_EQ(nearest_name("group.consumer.asignors", known), "group.consumer.assignors");
}

TEST(NearestName, FindsTheNameWithoutItsUnit) {
  EXPECT_EQ(nearest_name("group.streams.session.timeout", known),
            "group.streams.session.timeout.ms");
}

TEST(NearestName, SaysNothingWhenNothingIsClose) {
  EXPECT_EQ(nearest_name("retention", known), "");
  EXPECT_EQ(did_you_mean("retention", known), "");
}

TEST(NearestName, MakesAQuestionOfIt) {
  EXPECT_EQ(did_you_mean("node_id", known), "; did you mean 'node.id'?");
}

}  // namespace
}  // namespace muster::host
