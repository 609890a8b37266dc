// InFlight: the host-wide brake.
#include "net/in_flight.hpp"

#include <gtest/gtest.h>

namespace muster::host {
namespace {

TEST(InFlight, IsFullOnlyOverItsLimit) {
  InFlight in_flight(100);
  in_flight.add(100);
  EXPECT_FALSE(in_flight.full());
  in_flight.add(1);
  EXPECT_TRUE(in_flight.full());
  EXPECT_EQ(in_flight.bytes(), 101u);
}

TEST(InFlight, WhoWaitsIsCalledWhenThreeQuartersAreLeftAndOnce) {
  InFlight in_flight(100);
  int calls = 0;
  in_flight.add(120);
  in_flight.when_room([&] { ++calls; });
  in_flight.remove(40);
  EXPECT_EQ(calls, 0);
  in_flight.remove(5);
  EXPECT_EQ(calls, 1);
  in_flight.remove(70);
  EXPECT_EQ(calls, 1);
}

TEST(InFlight, WhoWaitsThoughThereIsRoomIsCalledAtOnce) {
  InFlight in_flight(100);
  int calls = 0;
  in_flight.when_room([&] { ++calls; });
  EXPECT_EQ(calls, 1);
}

TEST(InFlight, AllWhoWaitAreCalledAndMayWaitAnew) {
  InFlight in_flight(100);
  int first = 0;
  int second = 0;
  in_flight.add(200);
  in_flight.when_room([&] {
    ++first;
    in_flight.add(200);
    in_flight.when_room([&] { ++first; });
  });
  in_flight.when_room([&] { ++second; });
  in_flight.remove(200);
  EXPECT_EQ(first, 1);
  EXPECT_EQ(second, 1);
  in_flight.remove(200);
  EXPECT_EQ(first, 2);
}

}  // namespace
}  // namespace muster::host
