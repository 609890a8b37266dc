// Bytes that make no sense: refused or answered, never a crash, and never a changed shard.
#include <random>

#include "classic_rig.hpp"

namespace muster::classic {
namespace {

class ClassicGarbage : public ClassicTest {
 protected:
  testing::Buffer bytes(std::size_t most) {
    testing::Buffer out(random() % (most + 1));
    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(random());
    return out;
  }
  testing::Buffer changed(testing::Buffer body) {
    for (std::size_t i = 0; i <= random() % 3 && !body.empty(); ++i) {
      body[random() % body.size()] = static_cast<std::uint8_t>(random());
    }
    if (random() % 4 == 0) body.resize(random() % (body.size() + 1));
    return body;
  }
  // Routed, refused and decided, as far as the host would take it.
  void feed(testing::RequestSpec spec) {
    rig.route(spec);
    rig.try_refuse(spec, static_cast<std::int16_t>(random() % 130));
    const testing::Outcome outcome = rig.decide(spec);
    if (outcome.code != MUSTER_OK) return;
    EXPECT_NE(outcome.response.has_value(), !outcome.parks.empty());
  }

  std::mt19937 random{20260101};
};
BOTH_DOORS(ClassicGarbage);

TEST_P(ClassicGarbage, RandomBodiesAreRefusedOrAnswered) {
  for (int i = 0; i < 4000; ++i) {
    testing::RequestSpec spec;
    spec.api_key = static_cast<std::int16_t>(11 + random() % 5);
    spec.version = static_cast<std::int16_t>(static_cast<int>(random() % 12) - 1);
    spec.body = bytes(60);
    spec.id = random();
    feed(spec);
  }
}

TEST_P(ClassicGarbage, SlightlyWrongRequestsAreAnsweredOrRefused) {
  rig.stable({by("a"), by("b").with_instance("i")});
  for (int i = 0; i < 4000; ++i) {
    testing::RequestSpec spec;
    switch (random() % 4) {
      case 0:
        spec = rig.spec_of(random() % 2 == 0 ? back("a1") : by("c").with_instance("i"));
        break;
      case 1: spec = rig.spec_of(syncs("a1", 1, {{"a1", "y"}})); break;
      case 2: spec = rig.spec_of(Beat{"a1"}); break;
      default: spec = rig.spec_of({{"a1"}, {"", "i"}}, 5); break;
    }
    spec.body = changed(spec.body);
    feed(spec);
    if (i % 100 == 0) rig.advance(5000);
  }
}

}  // namespace
}  // namespace muster::classic
