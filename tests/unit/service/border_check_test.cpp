// The debug host: what it tells of, and that it changes nothing else.
#include "service/border_check.hpp"

#include <gmock/gmock.h>

#include <functional>
#include <latch>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace muster::host {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Complaints : Observer {
  void misbehaved(std::string_view plugin, std::string_view slot, std::string_view why) override {
    const std::lock_guard lock(mutex);
    told.push_back(std::string(plugin) + " " + std::string(slot) + ": " + std::string(why));
  }
  void log(int, std::string_view) override {}
  std::mutex mutex;
  std::vector<std::string> told;
};

struct HandClock : Clock {
  std::int64_t wall_ms() override { return now_ms; }
  std::int64_t monotonic_ms() override { return now_ms; }
  std::int64_t now_ms = 0;
};

// A protocol whose slots do what the test says.
struct Plugin {
  std::function<muster_code(const muster_decision*)> decide;
  std::function<std::int16_t(const muster_decision*)> remove;
  const muster_shard* place = nullptr;

  static Plugin& of(void* self) { return *static_cast<Plugin*>(self); }
  static const muster_group_facet_v1* facet() {
    static const muster_group_facet_v1 table = [] {
      muster_group_facet_v1 out{};
      out.struct_size = sizeof out;
      out.remove = [](void* self, muster_str, const muster_decision* decision) {
        return of(self).remove(decision);
      };
      return out;
    }();
    return &table;
  }
  static const muster_group_protocol_v1* table() {
    static const muster_group_protocol_v1 made = [] {
      muster_group_protocol_v1 out{};
      out.struct_size = sizeof out;
      out.shard_space = "groups";
      out.refuse = [](void*, const muster_request*, std::int16_t error, muster_str,
                      const muster_bytes_sink*) -> muster_code { return error; };
      out.shard_open = [](void* self, const muster_shard* shard, const muster_error_sink*) {
        of(self).place = shard;
        return self;
      };
      out.shard_close = [](void*) {};
      out.decide = [](void* self, const muster_request*, const muster_decision* decision,
                      const muster_error_sink*) { return of(self).decide(decision); };
      out.facet = facet();
      return out;
    }();
    return &made;
  }
};

class BorderChecks : public testing::Test {
 protected:
  BorderChecks() {
    place_.struct_size = sizeof place_;
    place_.shard = 7;
    place_.now_ms = [](void*) -> std::int64_t { return 42; };
    decision_.struct_size = sizeof decision_;
    decision_.self = this;
    decision_.no_response = [](void* self) { ++static_cast<BorderChecks*>(self)->answers; };
    decision_.respond_shared = [](void* self, const muster_bytes*, std::uint32_t, muster_release,
                                  void*) { ++static_cast<BorderChecks*>(self)->answers; };
    shard = checked.table->shard_open(checked.self, &place_, nullptr);
  }
  ~BorderChecks() override { checked.table->shard_close(shard); }

  muster_code decide() { return checked.table->decide(shard, nullptr, &decision_, nullptr); }

  Complaints complaints;
  HandClock clock;
  Plugin plugin;
  BorderCheck check{complaints, clock};
  Protocol checked = check.around({"mine", Plugin::table(), &plugin});
  void* shard = nullptr;
  int answers = 0;

 private:
  muster_shard place_{};
  muster_decision decision_{};
};

TEST_F(BorderChecks, WhoKeepsTheRulesSeesNoDifference) {
  plugin.decide = [&](const muster_decision* decision) -> muster_code {
    decision->no_response(decision->self);
    EXPECT_EQ(plugin.place->now_ms(plugin.place->self), 42);
    EXPECT_EQ(plugin.place->shard, 7U);
    clock.now_ms += 10;
    return MUSTER_UNAVAILABLE;
  };
  EXPECT_EQ(decide(), MUSTER_UNAVAILABLE);
  EXPECT_EQ(answers, 1);
  EXPECT_EQ(checked.table->refuse(checked.self, nullptr, 3, {}, nullptr), 3);
  EXPECT_EQ(checked.table->on_timer, nullptr);
  EXPECT_EQ(checked.table->facet->expires, nullptr);
  EXPECT_THAT(complaints.told, IsEmpty());
}

TEST_F(BorderChecks, AFacetMayBeAskedFromWithinASlotOfItsOwnShard) {
  plugin.remove = [&](const muster_decision* decision) -> std::int16_t {
    EXPECT_EQ(decision, nullptr);
    return 68;
  };
  plugin.decide = [&](const muster_decision* decision) -> muster_code {
    EXPECT_EQ(checked.table->facet->remove(shard, {}, nullptr), 68);
    decision->no_response(decision->self);
    return MUSTER_OK;
  };
  EXPECT_EQ(decide(), MUSTER_OK);
  EXPECT_EQ(answers, 1);
  EXPECT_THAT(complaints.told, IsEmpty());
}

TEST_F(BorderChecks, ADecisionThatWasKeptIsToldOfAndDoesNothing) {
  const muster_decision* kept = nullptr;
  plugin.decide = [&](const muster_decision* decision) -> muster_code {
    kept = decision;
    return MUSTER_OK;
  };
  decide();
  int released = 0;
  kept->respond_shared(
      kept->self, nullptr, 0, [](void* owner) { ++*static_cast<int*>(owner); }, &released);
  kept->complete_shared(
      kept->self, 1, nullptr, 0, [](void* owner) { ++*static_cast<int*>(owner); }, &released);
  EXPECT_EQ(answers, 0);
  EXPECT_EQ(released, 2);
  ASSERT_EQ(complaints.told.size(), 2U);
  EXPECT_EQ(complaints.told[0],
            "mine respond_shared: a decision was used after its slot, or on another thread");
}

TEST_F(BorderChecks, ADecisionFilledOnAnotherThreadIsToldOf) {
  plugin.decide = [&](const muster_decision* decision) -> muster_code {
    std::thread([decision] { decision->no_response(decision->self); }).join();
    return MUSTER_OK;
  };
  decide();
  EXPECT_EQ(answers, 0);
  EXPECT_THAT(complaints.told, ElementsAre("mine no_response: a decision was used after its slot, "
                                           "or on another thread"));
}

TEST_F(BorderChecks, AShardThatIsAskedOutsideOfItsSlotsIsToldOf) {
  EXPECT_EQ(plugin.place->now_ms(plugin.place->self), 42);
  EXPECT_THAT(complaints.told,
              ElementsAre("mine now_ms: muster_shard was asked outside of a slot of its shard"));
}

TEST_F(BorderChecks, TwoThreadsInOneShardAreToldOf) {
  std::latch inside(1);
  std::latch seen(1);
  std::atomic<int> calls = 0;
  plugin.decide = [&](const muster_decision*) -> muster_code {
    if (++calls == 1) {
      inside.count_down();
      seen.wait();
    }
    return MUSTER_OK;
  };
  std::thread first([&] { decide(); });
  inside.wait();
  decide();
  seen.count_down();
  first.join();
  EXPECT_THAT(complaints.told,
              ElementsAre("mine decide: [shard]: two threads are in one shard at once"));
}

TEST_F(BorderChecks, ASlotThatTookLongIsToldOf) {
  plugin.decide = [&](const muster_decision*) -> muster_code {
    clock.now_ms += 11;
    return MUSTER_OK;
  };
  decide();
  EXPECT_THAT(complaints.told,
              ElementsAre("mine decide: [shard]: it took 11 ms and must not block"));
}

}  // namespace
}  // namespace muster::host
