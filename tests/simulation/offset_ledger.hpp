// Which offsets a fetch may answer: of each partition's commits, in the order they reached the
// host, one that is not older than the newest that was confirmed. Tests only; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace muster::simulation {

struct OffsetKey {
  std::string group;
  std::string topic;
  std::int32_t partition;
  auto operator<=>(const OffsetKey&) const = default;
};

class OffsetLedger {
 public:
  // Each commit is known by its offset, which no other has.
  std::int64_t new_offset() { return ++last_offset_; }
  void served(const OffsetKey& key, std::int64_t offset) { history_[key][++order_] = offset; }
  void confirmed(const OffsetKey& key, std::int64_t offset);
  // Refused for a reason that is no failure: it cannot have been stored.
  void refused(const OffsetKey& key, std::int64_t offset);
  // The topic is gone and may take its offsets with it.
  void forget(const std::string& topic) { forgotten_[topic] = order_; }

  // What a fetch that reaches the host now must show, at least.
  std::uint64_t floor(const OffsetKey& key) const;
  bool allows(const OffsetKey& key, std::uint64_t floor, std::int64_t offset) const;
  const std::map<OffsetKey, std::map<std::uint64_t, std::int64_t>>& all() const { return history_; }

 private:
  std::uint64_t order_of(const OffsetKey& key, std::int64_t offset) const;

  std::map<OffsetKey, std::map<std::uint64_t, std::int64_t>> history_;  // by order
  std::map<OffsetKey, std::uint64_t> confirmed_;                        // newest order
  std::map<std::string, std::uint64_t> forgotten_;
  std::int64_t last_offset_ = 0;
  std::uint64_t order_ = 0;
};

}  // namespace muster::simulation
