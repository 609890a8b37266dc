// One shard of the consumer protocol: its slots, each handing on to what its name says. Owner: the
// host's shard; every slot but replay only reads. [shard]
#pragma once

#include <muster/sdk/group_protocol.hpp>

#include <cstdint>
#include <span>
#include <string_view>

#include "context.hpp"
#include "draft.hpp"
#include "heartbeat.hpp"
#include "state.hpp"

namespace muster::consumer {

class ConsumerGroups;

class Shard {
 public:
  Shard(ConsumerGroups& plugin, sdk::ShardHost host);

  void replay(const sdk::Replayed& replayed, sdk::Directory& directory);

  void on_loaded(sdk::Decision& decision) const;
  void decide(const sdk::Request& request, sdk::Decision& decision) const;
  void on_timer(std::string_view key, sdk::Decision& decision) const;
  void on_expired(std::uint64_t token, sdk::Decision& decision) const;
  void task_input(const sdk::Task& task, sdk::InputSink& out) const;
  void on_task(const sdk::Task& task, const sdk::TaskResult& result, sdk::Decision& decision) const;
  void on_metadata(const sdk::Metadata& metadata, sdk::TopicChanges changes,
                   sdk::Decision& decision) const;
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
  void arm_timers(std::string_view id, const Group& group, sdk::Decision& decision) const;
  void on_assignment(const sdk::Task& task, const sdk::TaskResult& result, Draft& draft) const;
  void on_matches(const sdk::TaskResult& result, Draft& draft) const;

  const Settings& settings_;
  const sdk::Host& host_;
  sdk::ShardHost shard_;
  State state_;
  // Room for the next answer, so that steady heartbeats allocate nothing; no state.
  mutable protocol::Buffer body_;
};

}  // namespace muster::consumer
