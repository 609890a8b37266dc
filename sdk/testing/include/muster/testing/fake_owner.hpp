// Another protocol that owns group ids: a facet that answers what a test sets and remembers what it
// was asked. Tests only; one thread.
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <muster/testing/fake_decision.hpp>

namespace muster::testing {

class FakeOwner {
 public:
  explicit FakeOwner(std::string owner_name) : name(std::move(owner_name)), type(name) {}
  FakeOwner(const FakeOwner&) = delete;
  FakeOwner& operator=(const FakeOwner&) = delete;

  struct Commit {
    std::int16_t api_key, version;
    std::string group, member;
    bool has_instance;
    std::string instance;
    std::int32_t epoch;
    std::vector<std::pair<std::string, std::int32_t>> partitions;
    std::vector<muster_uuid> topic_ids;
  };
  struct Fetch {
    std::string group, member;
    bool has_member;
    std::int32_t epoch;
  };

  std::string name;
  std::string type;
  std::string protocol_type = "consumer";
  std::string state = "Stable";
  std::int16_t commit_error = 0;  // of every partition
  std::map<std::pair<std::string, std::int32_t>, std::int16_t> partition_errors;  // of these alone
  std::int16_t fetch_error = 0;
  std::int16_t remove_error = 0;
  std::set<std::string> subscribed;
  std::int32_t expires_how = MUSTER_EXPIRES_FROM_COMMIT;
  std::int64_t expires_from_ms = 0;
  bool expires_unsubscribed_only = true;
  std::vector<Write> remove_writes;                      // what `remove` emits where it may
  std::vector<std::pair<Buffer, Buffer>> export_writes;  // what `export_group` hands out
  std::vector<Completion> export_completions;            // and completes

  std::vector<Commit> commits;
  std::vector<Fetch> fetches;
  std::vector<std::string> removed;

  const muster_group_facet_v1* facet() const { return &facet_; }

 private:
  static FakeOwner& of(void* self) { return *static_cast<FakeOwner*>(self); }

  static muster_code describe_listed(void* self, muster_str, const muster_listed_sink* out) {
    out->listed(out->self, to_str(of(self).type), to_str(of(self).protocol_type),
                to_str(of(self).state));
    return MUSTER_OK;
  }
  static muster_code check_commit(void* self, const muster_commit* commit, std::int16_t* errors,
                                  const muster_decision*) {
    Commit seen{commit->api_key,
                commit->version,
                copy_of(commit->group),
                copy_of(commit->member),
                commit->instance.data != nullptr,
                copy_of(commit->instance),
                commit->epoch,
                {},
                {}};
    for (std::uint32_t i = 0; i < commit->partition_count; ++i) {
      const muster_topic_partition& at = commit->partitions[i];
      seen.partitions.emplace_back(copy_of(at.topic), at.partition);
      seen.topic_ids.push_back(at.topic_id);
      const auto own = of(self).partition_errors.find(seen.partitions.back());
      errors[i] = own != of(self).partition_errors.end() ? own->second : of(self).commit_error;
    }
    of(self).commits.push_back(std::move(seen));
    return MUSTER_OK;
  }
  static std::int16_t check_fetch(void* self, muster_str group, muster_str member,
                                  std::int32_t epoch) {
    of(self).fetches.push_back({copy_of(group), copy_of(member), member.data != nullptr, epoch});
    return of(self).fetch_error;
  }
  static std::int32_t subscribes(void* self, muster_str, muster_str topic) {
    return of(self).subscribed.contains(copy_of(topic)) ? 1 : 0;
  }
  static std::int16_t remove(void* self, muster_str group, const muster_decision* decision) {
    if (of(self).remove_error != 0) return of(self).remove_error;
    of(self).removed.push_back(copy_of(group));
    for (const Write& write : of(self).remove_writes) {
      const muster_bytes value = write.value ? to_bytes(*write.value) : muster_bytes{nullptr, 0};
      decision->record(decision->self, to_bytes(write.key), value);
    }
    return 0;
  }
  static std::int32_t expires(void* self, muster_str, std::int64_t* from_ms,
                              std::int32_t* unsubscribed_only) {
    *from_ms = of(self).expires_from_ms;
    *unsubscribed_only = of(self).expires_unsubscribed_only ? 1 : 0;
    return of(self).expires_how;
  }
  static muster_code export_group(void* self, muster_str, const muster_decision* decision,
                                  const muster_record_sink* out) {
    for (const Completion& done : of(self).export_completions) {
      decision->complete(decision->self, done.token, to_bytes(done.body));
    }
    std::uint64_t sequence = 0;
    for (const auto& [key, value] : of(self).export_writes) {
      out->record(out->self, sequence++, to_bytes(key), to_bytes(value));
    }
    return MUSTER_OK;
  }

  muster_group_facet_v1 facet_{sizeof facet_, &describe_listed, &check_commit, &check_fetch,
                               &subscribes,   &remove,          &expires,      &export_group};
};

}  // namespace muster::testing
