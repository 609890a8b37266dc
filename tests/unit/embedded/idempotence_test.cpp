#include <gtest/gtest.h>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

constexpr std::int32_t last_sequence = 2147483647;

class Idempotence : public ::testing::Test {
 protected:
  Idempotence() { create(rig, "t"); }

  Produced send(const Producer& producer, int records = 1) {
    return produce(rig, "t", batch(records, producer));
  }

  BrokerRig rig;
};

TEST_F(Idempotence, ARepeatIsAnsweredAsTheFirstTimeAndNotStored) {
  EXPECT_EQ(send({7, 0, 0}, 3).base_offset, 0);
  EXPECT_EQ(send({7, 0, 3}, 2).base_offset, 3);

  const Produced repeat = send({7, 0, 0}, 3);

  EXPECT_EQ(repeat.error_code, 0);
  EXPECT_EQ(repeat.base_offset, 0);
  EXPECT_EQ(repeat.log_append_time_ms, start_ms + 2);
  EXPECT_EQ(list_offset(rig, "t", -1).offset, 5);
}

TEST_F(Idempotence, TheLastFiveBatchesAreRemembered) {
  for (std::int32_t sequence = 0; sequence < 6; ++sequence) send({7, 0, sequence});

  const Produced fifth_last = send({7, 0, 1});
  const Produced sixth_last = send({7, 0, 0});

  EXPECT_EQ(fifth_last.error_code, 0);
  EXPECT_EQ(fifth_last.base_offset, 1);
  EXPECT_EQ(sixth_last.error_code, code(Error::out_of_order_sequence_number));
  EXPECT_EQ(sixth_last.base_offset, -1);
}

TEST_F(Idempotence, GapsAndPartialOverlapsAreOutOfOrder) {
  send({7, 0, 0}, 3);
  EXPECT_EQ(send({7, 0, 4}).error_code, code(Error::out_of_order_sequence_number));
  EXPECT_EQ(send({7, 0, 0}, 2).error_code, code(Error::out_of_order_sequence_number));
  EXPECT_EQ(send({7, 0, 2}, 2).error_code, code(Error::out_of_order_sequence_number));
  EXPECT_EQ(send({7, 0, 3}).error_code, 0);
}

TEST_F(Idempotence, AnUnknownProducerMayBeginAnywhere) {
  EXPECT_EQ(send({9, 4, 7}).error_code, 0);
  EXPECT_EQ(send({9, 4, 8}).error_code, 0);
}

TEST_F(Idempotence, SequencesWrapToZero) {
  EXPECT_EQ(send({7, 0, last_sequence - 1}, 2).error_code, 0);
  EXPECT_EQ(send({7, 0, 1}).error_code, code(Error::out_of_order_sequence_number));
  EXPECT_EQ(send({7, 0, 0}).error_code, 0);
}

TEST_F(Idempotence, ABatchMayWrapInside) {
  EXPECT_EQ(send({7, 0, last_sequence}, 3).error_code, 0);
  EXPECT_EQ(send({7, 0, last_sequence}, 3).base_offset, 0);
  EXPECT_EQ(send({7, 0, 2}).error_code, 0);
}

TEST_F(Idempotence, AHigherEpochBeginsAtZeroAndEndsTheOld) {
  for (std::int32_t sequence = 0; sequence < 5; ++sequence) send({7, 0, sequence});
  EXPECT_EQ(send({7, 1, 5}).error_code, code(Error::out_of_order_sequence_number));
  EXPECT_EQ(send({7, 1, 0}).error_code, 0);
  EXPECT_EQ(send({7, 0, 5}).error_code, code(Error::invalid_producer_epoch));
  EXPECT_EQ(send({7, 0, 4}).error_code, code(Error::invalid_producer_epoch));
  EXPECT_EQ(send({7, 1, 1}).error_code, 0);
}

TEST_F(Idempotence, ProducersDoNotDisturbEachOther) {
  send({7, 0, 0});
  send({8, 0, 0});
  produce(rig, "t", batch());
  EXPECT_EQ(send({7, 0, 1}).error_code, 0);
  EXPECT_EQ(send({8, 0, 1}).error_code, 0);
  EXPECT_EQ(send({7, 0, 0}).base_offset, 0);
}

TEST_F(Idempotence, StateExpiresAfterADayWithoutAWrite) {
  send({7, 0, 0});
  rig.host.now_ms += 86'400'000;
  EXPECT_EQ(send({7, 0, 9}).error_code, 0);
}

TEST_F(Idempotence, StateDoesNotExpireBefore) {
  send({7, 0, 0});
  rig.host.now_ms += 86'399'999;
  EXPECT_EQ(send({7, 0, 9}).error_code, code(Error::out_of_order_sequence_number));
}

}  // namespace
}  // namespace muster::embedded::test
