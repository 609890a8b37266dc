// A store that forgets.
#pragma once

#include <muster/sdk/store.hpp>

namespace every_kind {

class Store {
 public:
  static constexpr std::uint64_t max_batch_bytes = 1 << 20;

  void open(const muster::sdk::OpenSpace& space);
  void load(const muster::sdk::ShardLife& life, muster::sdk::RecordSink& out);
  void commit(const muster::sdk::Batch& batch, muster::sdk::CommitDone done);
  void owner(const muster::sdk::ShardId& shard, muster::sdk::BytesSink& out) const;
};

}  // namespace every_kind
