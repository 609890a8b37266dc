// A shard of the classic protocol with a host run by hand. Answers are lines of text, in which
// members go by their aliases. Tests only.
#pragma once

#include <gmock/gmock.h>
#include <muster/testing/protocol_rig.hpp>

#include <map>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "requests.hpp"
#include "support/door.hpp"

namespace muster::classic {

using Lines = std::vector<std::string>;

using muster::testing::Door;

// What a request is answered with while it is parked.
inline constexpr std::string_view waits = "waits";

class ClassicRig : public testing::ProtocolRig {
 public:
  explicit ClassicRig(Door door, bool opened = true);
  ~ClassicRig();

  // "1 range leads a1 [a1=x b1=x]", "1 range follows a1: b1", "UNKNOWN_MEMBER_ID a1"; or waits.
  std::string join(const Join& join);
  // "consumer range: bytes", or an error; or waits.
  std::string sync(const Sync& sync);
  std::string beat(const Beat& beat);
  // Each member's error in one line, or the error of the whole.
  std::string leave(const std::vector<Leaving>& members, std::int16_t version = 5);
  // "Stable consumer range [a1 x/y]": members with metadata / assignment.
  std::string describe(std::string_view group = "g", std::int16_t version = 6);

  // The parked requests that have been answered since the last time: "join a1: ...".
  Lines answered();
  // Lets every timer due within this time fire.
  void pass(std::int64_t ms);
  // Loads the shard anew; what waited is forgotten.
  void load_again();

  // v3: joins at once. Returns the alias. The join waits.
  std::string joins_at_once(const Join& join);
  // With MEMBER_ID_REQUIRED where that is due. The join waits.
  std::string joins(const Join& join);
  // A stable group of these clients in generation 1; the first leads. Each has its name assigned.
  void stable(const std::vector<Join>& members);

  // "Stable": as ListGroups has it.
  std::string state(std::string_view group = "g");
  std::string alias_of(std::string_view id);
  std::string id_of(std::string_view alias) const;

  testing::RequestSpec spec_of(const Join& join);
  testing::RequestSpec spec_of(const Sync& sync);
  testing::RequestSpec spec_of(const Beat& beat);
  testing::RequestSpec spec_of(const std::vector<Leaving>& members, std::int16_t version);

  // What the newest slot stored: "2 g = generation 1 consumer range leader a1 [a1 x/y]".
  Lines stored(const testing::Outcome& outcome);
  Lines stored() { return stored(last); }
  void take(testing::Outcome outcome);

  testing::Outcome last;  // what the newest slot did

 private:
  struct Asked {
    bool is_join;
    std::int16_t version;
    std::string name;
  };
  std::string decided(const testing::RequestSpec& spec, const std::string& name);
  std::string text_of(const testing::Buffer& body, std::int16_t api_key, std::int16_t version);

  std::map<std::string, std::string, std::less<>> aliases_;  // id -> alias
  std::map<std::string, int, std::less<>> counts_;           // of a client or instance
  std::map<std::uint64_t, Asked> parked_;
  Lines answered_;
  std::uint64_t next_id_ = 1;
};

class ClassicTest : public ::testing::TestWithParam<Door> {
 protected:
  ClassicTest() : rig(GetParam()) {}
  ClassicRig rig;
};

}  // namespace muster::classic

// Every test of the suite through both doors.
#define CLASSIC_TESTS(Suite)                              \
  class Suite : public ::muster::classic::ClassicTest {}; \
  BOTH_DOORS(Suite)
