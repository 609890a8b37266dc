// What leaves a slot when an author's code throws.
#include <muster/sdk/barrier.hpp>
#include <muster/testing/fake_metadata.hpp>
#include <muster/testing/rig_host.hpp>
#include <muster/testing/rig_sinks.hpp>

#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

namespace {

using muster::sdk::Complaint;
using muster::sdk::Failure;
using muster::sdk::guarded_code;
using muster::testing::ErrorText;

TEST(Barrier, AFailureKeepsItsCodeAndSentence) {
  ErrorText error;
  const muster_code code = guarded_code(
      Complaint{error.table()}, [] { throw Failure(MUSTER_CORRUPT, "record 7 is too short"); });
  EXPECT_EQ(code, MUSTER_CORRUPT);
  EXPECT_EQ(error.text, "record 7 is too short");
}

TEST(Barrier, AFailureThatClaimsToBeFineIsInternal) {
  ErrorText error;
  EXPECT_EQ(guarded_code(Complaint{error.table()}, [] { throw Failure(MUSTER_OK, "fine"); }),
            MUSTER_INTERNAL);
}

TEST(Barrier, AnyOtherExceptionIsInternal) {
  ErrorText error;
  const Complaint complaint{error.table()};
  EXPECT_EQ(guarded_code(complaint, [] { throw std::runtime_error("oops"); }), MUSTER_INTERNAL);
  EXPECT_EQ(error.text, "oops");
  EXPECT_EQ(guarded_code(complaint, [] { throw 42; }), MUSTER_INTERNAL);
  EXPECT_NE(error.text, "oops");
}

TEST(Barrier, OutOfMemoryIsUnavailable) {
  ErrorText error;
  EXPECT_EQ(guarded_code(Complaint{error.table()}, [] { throw std::bad_alloc(); }),
            MUSTER_UNAVAILABLE);
}

TEST(Barrier, ASlotMayReturnACodeOrNothing) {
  const Complaint nobody{static_cast<const muster_error_sink*>(nullptr)};
  EXPECT_EQ(guarded_code(nobody, [] {}), MUSTER_OK);
  EXPECT_EQ(guarded_code(nobody, [] { return MUSTER_FENCED; }), MUSTER_FENCED);
}

TEST(Barrier, WithoutASinkTheSentenceIsLoggedWithTheSlot) {
  muster::testing::FakeMetadata metadata;
  muster::testing::RigHost host(&metadata);
  const auto* log = static_cast<const muster_log_v1*>(
      host.table()->get_service(host.table()->self, muster::testing::to_str(MUSTER_SERVICE_LOG)));
  const muster_code code = guarded_code(
      Complaint{log, "replay"}, [] { throw Failure(MUSTER_CORRUPT, "unknown key type 17"); });
  EXPECT_EQ(code, MUSTER_CORRUPT);
  ASSERT_EQ(host.log_lines.size(), 1U);
  EXPECT_EQ(host.log_lines[0].first, MUSTER_LOG_ERROR);
  EXPECT_EQ(host.log_lines[0].second, "replay failed: unknown key type 17");
}

}  // namespace
