// One shard with two scripted protocols, "a" (creates) and "b", both serving API 900; and
// everything around it by hand.
#pragma once

#include "runtime/shard.hpp"
#include "support/manual_store.hpp"
#include "support/manual_world.hpp"
#include "support/script_protocol.hpp"
#include "support/space_context.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace muster::testing {

class RuntimeRig {
 public:
  explicit RuntimeRig(host::Mirror* mirror = nullptr) {
    EXPECT_EQ(protocols.add({"a", a.table(), &a}), "");
    EXPECT_EQ(protocols.add({"b", b.table(), &b}), "");
    host::SpaceContext context = space_context(*this);
    context.internal_topic = "__consumer_offsets";
    context.mirror = mirror;
    context.store = store.table();
    space = std::make_unique<host::Space>(std::move(context));
  }

  RuntimeRig(const RuntimeRig&) = delete;
  RuntimeRig& operator=(const RuntimeRig&) = delete;
  // A store completes each commit, at the latest when it goes.
  ~RuntimeRig() {
    while (!store.waiting.empty()) store.acknowledge(MUSTER_UNAVAILABLE);
  }

  void open() {
    EXPECT_EQ(space->open(), "");
    executor.settle();
  }
  // Sends a script to the shard as a request for a group; its answer comes under the returned slot.
  std::uint64_t send(const std::string& script, const std::string& group = "g",
                     std::uint64_t connection = 1) {
    const std::string body = group + "\n" + script;
    muster_request request{};
    request.struct_size = sizeof request;
    request.api_key = 900;
    request.id = ++ids;
    request.connection = connection;
    request.body = {reinterpret_cast<const std::uint8_t*>(body.data()), body.size()};
    request.key = {group.data(), group.size()};
    const std::uint64_t slot = ++slots;
    shard().submit(request, protocols.apis().at(900), {answers, slot});
    return slot;
  }
  std::string ask(const std::string& script, const std::string& group = "g") {
    return answers->of(send(script, group));
  }
  void advance(std::int64_t ms) {
    clock.now_ms += ms;
    executor.wake_due(clock.now_ms);
    executor.run_posted();
  }
  std::string digest(std::int32_t part) {
    const host::Buffer bytes = shard().digest(part);
    return {bytes.begin(), bytes.end()};
  }
  host::Shard& shard() { return space->shard(0); }
  // What the store has of the shard, by key.
  auto& kept() { return store.kept[{"groups", 0}]; }

  ScriptProtocol a{{0x4000, 900, true}};
  ScriptProtocol b{{0x4001, 900, false}};
  ManualClock clock;
  ManualExecutor executor;
  ManualStore store;
  RecordingObserver observer;
  RecordingCaller caller;
  host::Metadata metadata;
  host::AssignorSet assignors;
  host::ProtocolSet protocols;
  std::atomic<std::uint64_t> ids{0};
  std::uint64_t slots = 0;
  std::shared_ptr<Answers> answers = std::make_shared<Answers>();
  std::unique_ptr<host::Space> space;
};

}  // namespace muster::testing
