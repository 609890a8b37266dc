// What a shard shows of its commits in the internal topic.
#include "unit/runtime/runtime_rig.hpp"

namespace muster::testing {
namespace {

class RecordingMirror : public host::Mirror {
 public:
  void append(std::uint32_t shard, std::vector<host::MirrorRecord> records) override {
    for (host::MirrorRecord& record : records) {
      const std::string value =
          record.value ? std::string(record.value->begin(), record.value->end()) : "(tombstone)";
      lines.push_back(std::to_string(shard) + " " + record.topic + "-" +
                      std::to_string(record.partition.value_or(99)) + " " + value);
    }
  }
  std::vector<std::string> lines;
};

TEST(Mirror, GetsRecordsAsTheyAreInOrderOnceTheyAreDurableAndNoNotes) {
  RecordingMirror mirror;
  RuntimeRig rig(&mirror);
  rig.open();
  rig.store.automatic = false;
  rig.send("record k one\nnote n hidden\ntombstone k\nrespond ok");
  EXPECT_THAT(mirror.lines, ::testing::IsEmpty());

  rig.store.acknowledge();

  EXPECT_THAT(mirror.lines, ::testing::ElementsAre("0 __consumer_offsets-0 one",
                                                   "0 __consumer_offsets-0 (tombstone)"));
}

TEST(Mirror, GetsBatchesInOrderWhereTheLastIsAcknowledgedWhileItIsCommitted) {
  RecordingMirror mirror;
  RuntimeRig rig(&mirror);
  rig.open();
  rig.store.automatic = false;
  rig.send("record k one\nrespond ok");
  rig.store.automatic = rig.store.overtaking = true;

  rig.send("record k two\nrespond ok");

  EXPECT_THAT(mirror.lines,
              ::testing::ElementsAre("0 __consumer_offsets-0 one", "0 __consumer_offsets-0 two"));
}

TEST(Mirror, GetsNothingOfABatchThatFailed) {
  RecordingMirror mirror;
  RuntimeRig rig(&mirror);
  rig.open();
  rig.store.next = MUSTER_UNAVAILABLE;

  rig.ask("record k one\nrespond ok");

  EXPECT_THAT(mirror.lines, ::testing::IsEmpty());
}

TEST(Mirror, ShowsARecordAsItsOwnersMirrorSlotSays) {
  RecordingMirror mirror;
  RuntimeRig rig(&mirror);
  rig.a.table()->mirror = [](void*, muster_bytes, muster_bytes, const muster_mirror_sink* out) {
    constexpr std::uint8_t byte = 'x';
    out->record(out->self, {"other", 5}, {"key", 3}, {&byte, 1}, {&byte, 1});
    return muster_code{MUSTER_OK};
  };
  rig.open();

  rig.ask("record k one\nrespond ok");

  EXPECT_THAT(mirror.lines, ::testing::ElementsAre("0 other-99 x"));
}

}  // namespace
}  // namespace muster::testing
