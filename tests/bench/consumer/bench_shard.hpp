// One shard of the consumer protocol with as little around it as can be: constant options, metadata
// that never changes, decisions that are counted and, where wanted, replayed. Benchmarks only.
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace muster::consumer {

class BenchShard {
 public:
  // All members subscribe to all `topics`, of `partitions` each.
  BenchShard(std::uint32_t topics, std::uint32_t partitions);
  BenchShard(const BenchShard&) = delete;
  BenchShard& operator=(const BenchShard&) = delete;
  ~BenchShard();

  // Stores a member, stable with nothing assigned; returns its epoch.
  std::int32_t add_member(const std::string& group, const std::string& member);
  // Stores the group's epoch, so that nothing is due.
  void set_epochs();
  // Gives member i of "g" every partition p with p % members == i as its target.
  void assign_round_robin();

  void decide(const muster_request* request);  // and replays
  void look(const muster_request* request);    // and does not
  std::uint32_t view_members();
  // Keeps the view of "g" and a result in which `moved` partitions have another owner.
  void capture_view(std::uint32_t moved);
  void apply_captured();  // without replay, so that it can be done again

  void forget() { timers_ = records_ = 0; }
  [[nodiscard]] std::size_t timers() const { return timers_; }
  [[nodiscard]] std::size_t records() const { return records_; }

 private:
  struct Entry {
    std::int32_t kind;
    std::vector<std::uint8_t> key, value;
    bool is_tombstone;
  };
  struct Topic {
    std::string name;
    std::vector<std::uint32_t> rack_offsets;
    muster_topic table;
  };

  static BenchShard& of(void* self) { return *static_cast<BenchShard*>(self); }
  void make_tables();
  void keep(std::int32_t kind, muster_bytes key, muster_bytes value);
  void replay(std::int32_t kind, const std::vector<std::uint8_t>& key,
              const std::vector<std::uint8_t>& value);
  void ask_for_assignment();

  const muster_group_protocol_v1* table_;
  void* plugin_ = nullptr;
  void* shard_ = nullptr;
  bool keeps_ = false;
  std::vector<Entry> entries_;
  std::size_t timers_ = 0;
  std::size_t records_ = 0;
  std::deque<Topic> topics_;
  std::vector<std::string> groups_;
  std::vector<std::string> members_;

  std::deque<std::vector<std::uint32_t>> numbers_;
  std::deque<std::vector<muster_str>> strings_;
  std::vector<muster_uuid> ids_;
  std::vector<std::uint32_t> owner_;
  muster_partition_assignor_view captured_{};

  muster_host host_{};
  muster_options options_{};
  muster_authorize_v1 authorize_{};
  muster_shard shard_host_{};
  muster_metadata_view metadata_{};
  muster_directory directory_{};
  muster_decision decision_{};
};

}  // namespace muster::consumer
