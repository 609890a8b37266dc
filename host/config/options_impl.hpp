// The inside of Options, shared by its lookups (options.cpp), its making (options_build.cpp) and
// the judging of group values (options_group.cpp). Owner: host/config.
#pragma once

#include "config/group_values.hpp"
#include "config/option_value.hpp"
#include "config/options.hpp"

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace muster::host {

// What one plugin gets: a table whose `find` knows only its own options.
struct PluginOptions {
  muster_options table{};
  const Options::Impl* owner = nullptr;
  std::map<std::string, std::int32_t, std::less<>> handles;
};

struct OptionState {
  const muster_option* declaration = nullptr;
  bool configured = false;
  Origin origin;
  OptionValue standard;  // the declared default; group scope: what default_of supplies
  OptionValue value;     // host scope: what is in force; group scope: as standard
  // Handles of the options that the declaration names, or -1.
  std::int32_t default_of = -1;
  std::int32_t min_of = -1;
  std::int32_t max_of = -1;
  std::int32_t above = -1;
  // An option that is called like a feature is how the plugin learns the feature's level.
  const std::atomic<std::int16_t>* feature = nullptr;
};

// Which exports are loaded, for options whose values name one.
class ExportNames {
 public:
  void add(std::string_view interface_id, std::string_view definition, std::string_view name);
  // The name as the host looks it up; the error is a reason.
  [[nodiscard]] std::expected<std::string, std::string> resolve(std::string_view interface_id,
                                                                std::string_view name) const;

 private:
  // interface -> export name -> definitions that export it
  std::map<std::string, std::map<std::string, std::vector<std::string>, std::less<>>, std::less<>>
      names_;
};

struct Options::Impl {
  std::vector<OptionState> states;  // by handle; handles ascend with names
  std::vector<OptionInfo> infos;
  std::unique_ptr<FeatureLevels> features;
  std::map<std::string, PluginOptions, std::less<>> plugins;
  ExportNames exports;
  bool check_names = true;
  GroupValues groups;

  // Text, range, legal values and named exports. The error is a reason.
  [[nodiscard]] std::expected<OptionValue, std::string> parse(const OptionState& state,
                                                              std::string_view text) const;
  [[nodiscard]] OptionValue clamp(const OptionState& state, OptionValue value) const;
  [[nodiscard]] std::int32_t handle_of(std::string_view name) const;

  [[nodiscard]] std::int64_t int64(std::int32_t handle, std::string_view group) const;

  // Calls use(const OptionValue&) with what is in force.
  template <class Use>
  void with(std::int32_t handle, std::string_view group, Use&& use) const {
    if (handle < 0 || static_cast<std::size_t>(handle) >= states.size()) return;
    const OptionState& state = states[static_cast<std::size_t>(handle)];
    if (!group.empty() && state.declaration->scope == MUSTER_OPTION_GROUP &&
        groups.with(group, handle, use)) {
      return;
    }
    use(state.value);
  }
};

[[nodiscard]] PluginOptions make_plugin_options(const Options::Impl& owner);

}  // namespace muster::host
