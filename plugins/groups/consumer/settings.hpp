// The plugin's options: declared as data, read by name once. Host-scope values are constant for the
// process; group-scope ones are asked for each time. Any thread.
#pragma once

#include <muster/sdk/options.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::consumer {

class Settings {
 public:
  explicit Settings(const sdk::Options& options);

  [[nodiscard]] bool enabled() const { return in_protocols_ && feature_level_() >= 1; }
  [[nodiscard]] std::int64_t max_size() const { return max_size_; }
  // The policy for non-empty groups: may classic groups become consumer groups, and the other way;
  // may classic members be in a consumer group.
  [[nodiscard]] bool upgrade_allowed() const { return upgrade_; }
  [[nodiscard]] bool downgrade_allowed() const { return downgrade_; }
  [[nodiscard]] bool classic_members_allowed() const { return upgrade_ || downgrade_; }
  [[nodiscard]] std::int64_t classic_max_size() const { return classic_max_size_; }
  [[nodiscard]] bool is_session_timeout(std::int32_t ms) const {
    return ms >= classic_min_session_ms_ && ms <= classic_max_session_ms_;
  }
  [[nodiscard]] std::int64_t regex_refresh_interval_ms() const { return regex_refresh_ms_; }
  // How long a heartbeat waits for the assignor it asked for; 0: not at all.
  [[nodiscard]] std::uint32_t assignor_wait_ms() const { return assignor_wait_ms_; }

  [[nodiscard]] std::uint32_t session_timeout_ms(std::string_view group) const {
    return static_cast<std::uint32_t>(session_timeout_(group));
  }
  [[nodiscard]] std::int32_t heartbeat_interval_ms(std::string_view group) const {
    return static_cast<std::int32_t>(heartbeat_interval_(group));
  }
  [[nodiscard]] std::int64_t assignment_interval_ms(std::string_view group) const {
    return assignment_interval_(group);
  }

  // As configured; the first is the default. Index of the one a client means, if there is one.
  [[nodiscard]] const std::vector<std::string>& assignors() const { return assignors_; }
  [[nodiscard]] std::optional<std::size_t> find_assignor(std::string_view name) const;
  // What clients and tools call it.
  [[nodiscard]] std::string_view assignor_name(std::size_t index) const;

 private:
  bool in_protocols_;
  sdk::Int64Option feature_level_;  // UpdateFeatures changes it at run time
  std::int64_t max_size_;
  bool upgrade_;
  bool downgrade_;
  std::int64_t classic_max_size_;
  std::int64_t classic_min_session_ms_;
  std::int64_t classic_max_session_ms_;
  std::int64_t regex_refresh_ms_;
  std::uint32_t assignor_wait_ms_;
  std::vector<std::string> assignors_;
  sdk::Int64Option session_timeout_;
  sdk::Int64Option heartbeat_interval_;
  sdk::Int64Option assignment_interval_;
};

}  // namespace muster::consumer
