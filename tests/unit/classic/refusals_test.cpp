// What the host says in the protocol's name, and where it sends requests.
#include <muster/protocol/codec.hpp>
#include <muster/protocol/errors.hpp>
#include <muster/protocol/messages/heartbeat_response.hpp>
#include <muster/protocol/messages/join_group_response.hpp>
#include <muster/protocol/messages/leave_group_response.hpp>
#include <muster/protocol/messages/sync_group_response.hpp>

#include "classic_rig.hpp"

namespace muster::classic {
namespace {

using protocol::Error;

class ClassicRefusals : public ClassicTest {
 protected:
  template <class Response>
  Error no(const testing::RequestSpec& spec, Error error) {
    const testing::Buffer body = rig.refuse(spec, protocol::code(error));
    return static_cast<Error>(protocol::decode<Response>(body, spec.version)->error_code);
  }
  Error join(Error error, const Join& join = by("a")) {
    return no<protocol::JoinGroupResponse>(rig.spec_of(join), error);
  }
  Error sync(Error error, const Sync& sync = syncs("m", 1)) {
    return no<protocol::SyncGroupResponse>(rig.spec_of(sync), error);
  }
  Error beat(Error error, const Beat& beat = {"m"}) {
    return no<protocol::HeartbeatResponse>(rig.spec_of(beat), error);
  }
  Error leave(Error error) {
    return no<protocol::LeaveGroupResponse>(rig.spec_of({{"m"}}, 5), error);
  }
};
BOTH_DOORS(ClassicRefusals);

TEST_P(ClassicRefusals, WhileLoadingAHeartbeatIsBelievedAndTheOthersWait) {
  const Error loading = Error::coordinator_load_in_progress;
  EXPECT_EQ(beat(loading), Error::none);
  EXPECT_EQ(join(loading), loading);
  EXPECT_EQ(sync(loading), loading);
  EXPECT_EQ(leave(loading), loading);
}

TEST_P(ClassicRefusals, AnotherCoordinatorIsToldToAll) {
  for (const Error error :
       {Error::not_coordinator, Error::coordinator_not_available, Error::unknown_server_error}) {
    EXPECT_EQ(beat(error), error);
    EXPECT_EQ(join(error), error);
    EXPECT_EQ(sync(error), error);
    EXPECT_EQ(leave(error), error);
  }
}

TEST_P(ClassicRefusals, WhatTheLogSaysIsTranslated) {
  EXPECT_EQ(join(Error::request_timed_out), Error::coordinator_not_available);
  EXPECT_EQ(sync(Error::not_leader_or_follower), Error::not_coordinator);
  EXPECT_EQ(leave(Error::record_list_too_large), Error::unknown_server_error);
  EXPECT_EQ(join(Error::network_exception), Error::coordinator_load_in_progress);
}

TEST_P(ClassicRefusals, WhatIsWrongWithTheRequestComesBeforeTheCoordinator) {
  const Error elsewhere = Error::not_coordinator;
  EXPECT_EQ(join(elsewhere, by("a").in("")), Error::invalid_group_id);
  EXPECT_EQ(join(elsewhere, by("a").with_session(1)), Error::invalid_session_timeout);
  Sync sync = syncs("m", 1);
  sync.type.reset();
  EXPECT_EQ(this->sync(elsewhere, sync), Error::inconsistent_group_protocol);
  EXPECT_EQ(beat(elsewhere, {"m", 1, std::nullopt, ""}), Error::invalid_group_id);
  rig.host.denied = {{3, 3, "g"}};
  EXPECT_EQ(join(elsewhere), Error::group_authorization_failed);
  EXPECT_EQ(leave(elsewhere), Error::group_authorization_failed);
  EXPECT_EQ(beat(Error::coordinator_load_in_progress), Error::group_authorization_failed);
}

TEST_P(ClassicRefusals, RequestsGoToTheirGroup) {
  for (const testing::RequestSpec& spec : {rig.spec_of(by("a")), rig.spec_of(syncs("m", 1)),
                                           rig.spec_of(Beat{"m"}), rig.spec_of({{"m"}}, 5)}) {
    const testing::Routed routed = rig.route(spec);
    ASSERT_EQ(routed.parts.size(), 1u);
    EXPECT_EQ(routed.parts.front().key, "g");
    EXPECT_TRUE(routed.parts.front().whole);
  }
}

TEST_P(ClassicRefusals, ABodyThatCannotBeReadIsNotRouted) {
  testing::RequestSpec spec = rig.spec_of(by("a"));
  spec.body.resize(5);
  EXPECT_EQ(rig.route(spec).code, MUSTER_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace muster::classic
