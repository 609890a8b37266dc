// A batch as its owners want it shown: through their `mirror` slot, or as it is in the shard's own
// partition.
#include "runtime/guarded.hpp"
#include "runtime/shard.hpp"

namespace muster::host {
namespace {

struct Collector {
  std::vector<MirrorRecord>& out;

  static void record(void* self, muster_str topic, muster_str partition_key, muster_bytes key,
                     muster_bytes value) {
    MirrorRecord& made = static_cast<Collector*>(self)->out.emplace_back();
    made.topic = from_abi(topic);
    made.partition_key = from_abi(partition_key);
    made.key.assign(key.data, key.data + key.size);
    if (value.data != nullptr) made.value.emplace(value.data, value.data + value.size);
  }
};

}  // namespace

std::vector<MirrorRecord> Shard::mirrored() const {
  std::vector<MirrorRecord> shown;
  Collector collector{shown};
  const muster_mirror_sink sink{sizeof sink, &collector, &Collector::record};
  for (const muster_record& record : batch_) {
    const int owner = life_->owner_of(record.key);
    const Protocol& protocol = space_.protocols->at(static_cast<std::size_t>(owner));
    if (offers(protocol.table, &muster_group_protocol_v1::mirror)) {
      const muster_code code = guarded(nullptr, [&] {
        return protocol.table->mirror(protocol.self, record.key, record.value, &sink);
      });
      if (code != MUSTER_OK) space_.observer->misbehaved(protocol.name, "mirror", "it failed");
      continue;
    }
    MirrorRecord& made = shown.emplace_back();
    made.topic = space_.internal_topic;
    made.partition = index_;
    made.key.assign(record.key.data, record.key.data + record.key.size);
    if (record.value.data != nullptr) {
      made.value.emplace(record.value.data, record.value.data + record.value.size);
    }
  }
  return shown;
}

}  // namespace muster::host
