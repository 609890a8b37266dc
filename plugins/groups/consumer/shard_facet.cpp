// The facet slots of a shard, and its digest. [shard]
#include <muster/protocol/errors.hpp>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "draft.hpp"
#include "facet.hpp"
#include "shard.hpp"

namespace muster::consumer {
namespace {

class Hash {
 public:
  Hash() { XXH3_128bits_reset(&state_); }

  void add(sdk::Bytes bytes) {
    const std::uint64_t size = bytes.size();
    XXH3_128bits_update(&state_, &size, sizeof size);
    XXH3_128bits_update(&state_, bytes.data(), bytes.size());
  }
  void add(std::string_view text) { add(sdk::as_bytes(text)); }
  void add(const NoteBytes& note) {
    add(sdk::Bytes(note.key));
    if (note.value) add(sdk::Bytes(*note.value));
  }

  void write(sdk::BytesSink& out) const {
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(&state_));
    out.write(sdk::Bytes(bytes.digest));
  }

 private:
  XXH3_state_t state_;
};

}  // namespace

void Shard::describe_listed(std::string_view group, sdk::ListedSink& out) const {
  out.listed("consumer", "consumer", to_text(state_of(existing(group))));
}

void Shard::check_commit(const sdk::Commit& commit, std::span<std::int16_t> errors,
                         sdk::Decision&) const {
  consumer::check_commit(context(), commit, errors);
}

std::int16_t Shard::check_fetch(const sdk::Fetcher& who) const {
  return consumer::check_fetch(existing(who.group), who);
}

bool Shard::subscribes(std::string_view group, std::string_view topic) const {
  return existing(group).subscribed_topics().contains(topic);
}

std::int16_t Shard::remove(std::string_view id, sdk::Decision& decision) const {
  const Group* group = state_.find(id);
  if (group == nullptr) return static_cast<std::int16_t>(protocol::Error::group_id_not_found);
  if (!group->members().empty()) return static_cast<std::int16_t>(protocol::Error::non_empty_group);
  const Context context = this->context();
  Draft draft(context, id, *group);
  draft.records.remove_empty_group(*group);
  draft.emit(decision);
  return 0;
}

sdk::Expiry Shard::expires(std::string_view group) const {
  static_cast<void>(existing(group));
  return {.when = sdk::Expiry::When::from_commit, .from_ms = 0, .unsubscribed_only = true};
}

void Shard::export_group(std::string_view id, sdk::Decision&, sdk::RecordSink& out) const {
  RecordBatch records(id);
  records.whole_group(existing(id));
  std::uint64_t sequence = 0;
  for (const RecordBatch::Entry& entry : records.entries()) {
    out.record(sequence++, entry.key, *entry.value);
  }
}

void Shard::digest(sdk::Digest part, sdk::BytesSink& out) const {
  Hash hash;
  for (const auto& [id, group] : state_.groups()) {
    hash.add(id);
    if (part == sdk::Digest::durable) {
      RecordBatch records(id);
      records.whole_group(*group);
      for (const RecordBatch::Entry& entry : records.entries()) {
        hash.add(sdk::Bytes(entry.key));
        hash.add(sdk::Bytes(*entry.value));
      }
      hash.add(group->has_partition_metadata ? "4" : "");
      continue;
    }
    hash.add(to_bytes(GroupNote{id, group->notes}));
    for (const auto& [token, waiting] : group->waiting) {
      hash.add(to_bytes(WaitingNote{id, token, waiting}));
    }
    for (const std::string& member : group->asked_to_rejoin()) {
      hash.add(to_bytes(RejoinNote{id, member, true}));
    }
  }
  if (part == sdk::Digest::noted) hash.add(to_bytes(NewTopicsNote{state_.new_topics_version()}));
  hash.write(out);
}

}  // namespace muster::consumer
