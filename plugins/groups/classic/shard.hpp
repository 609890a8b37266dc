// One shard of the classic protocol: its slots, each handing on to what its name says. Owner: the
// host's shard; every slot but replay only reads. [shard]
#pragma once

#include <muster/sdk/group_protocol.hpp>

#include <cstdint>
#include <span>
#include <string_view>

#include "context.hpp"
#include "state.hpp"

namespace muster::classic {

class ClassicGroups;

class Shard {
 public:
  Shard(ClassicGroups& plugin, sdk::ShardHost host);

  void replay(const sdk::Replayed& replayed, sdk::Directory& directory) {
    state_.replay(replayed, directory);
  }

  void on_loaded(sdk::Decision& decision) const;
  void decide(const sdk::Request& request, sdk::Decision& decision) const;
  void on_timer(std::string_view key, sdk::Decision& decision) const;
  void on_owner(std::string_view group, bool mine, sdk::Decision& decision) const;
  void digest(sdk::Digest part, sdk::BytesSink& out) const;

  void describe_listed(std::string_view group, sdk::ListedSink& out) const;
  void check_commit(const sdk::Commit& commit, std::span<std::int16_t> errors,
                    sdk::Decision& decision) const;
  std::int16_t check_fetch(const sdk::Fetcher& who) const;
  bool subscribes(std::string_view group, std::string_view topic) const;
  std::int16_t remove(std::string_view group, sdk::Decision& decision) const;
  sdk::Expiry expires(std::string_view group) const;
  void export_group(std::string_view group, sdk::Decision& decision, sdk::RecordSink& out) const;

 private:
  [[nodiscard]] Context context() const { return {state_, settings_, host_, shard_}; }
  // Throws for a group that is not ours: the host asks only about those that are.
  [[nodiscard]] const Group& existing(std::string_view group) const;
  void finish_handed_over(std::string_view group, sdk::Decision& decision) const;

  const Settings& settings_;
  const sdk::Host& host_;
  sdk::ShardHost shard_;
  State state_;
};

}  // namespace muster::classic
