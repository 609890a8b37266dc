// The feature levels of this host: those that plugins declare and its own metadata.version, at the
// level that [features] sets until UpdateFeatures (a record, which then wins) says otherwise.
//
// Threads: made once; then everything [any].
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::host {

// Tools ask for it to know the cluster's age; nothing here depends on it.
inline constexpr std::string_view metadata_version = "metadata.version";

struct FeatureLevel {
  std::string name;
  std::int16_t min = 0;
  std::int16_t max = 0;
  std::int16_t level = 0;
};

class FeatureLevels {
 public:
  explicit FeatureLevels(const std::vector<FeatureLevel>& configured);

  // By ascending name.
  [[nodiscard]] std::vector<FeatureLevel> all() const;
  [[nodiscard]] std::optional<FeatureLevel> find(std::string_view name) const;
  // Rises with every change; clients ignore what is older than they know.
  [[nodiscard]] std::int64_t epoch() const { return epoch_; }
  // Always up to date; nullptr: there is no such feature. Lives as long as this.
  [[nodiscard]] const std::atomic<std::int16_t>* live(std::string_view name) const;

  // One thread at a time. A level that this build does not have, or a feature it does not know,
  // changes nothing.
  void update(std::string_view name, std::int16_t level, std::int64_t epoch);
  // Back to what is configured.
  void reset();

 private:
  struct Entry {
    std::int16_t min, max, configured;
    std::atomic<std::int16_t> level;
  };

  std::map<std::string, Entry, std::less<>> entries_;
  std::atomic<std::int64_t> epoch_{0};
};

}  // namespace muster::host
