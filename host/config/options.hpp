// Every option and feature that is declared by a loaded plugin or by the host, with its values:
// host scope from TOML, group scope set at run time. Owner: host/config.
//
// Threads: build once, then everything [any]. Lookups take no lock while no group has overrides of
// its own, and a shared lock of one of 64 stripes otherwise.
#pragma once

#include "config/feature_levels.hpp"
#include "config/host_config.hpp"

#include <muster/abi/plugin.h>

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::host {

// What one loaded plugin brings. The muster_ arrays must outlive the Options.
struct OptionDeclarer {
  std::string definition;  // [[plugin]] name; unique
  std::vector<const muster_export*> exports;
};

struct OptionsInput {
  std::vector<OptionDeclarer> declarers;
  std::vector<ConfiguredValue> values;
  std::map<std::string, FeatureSetting> features;
  // One plugin without the others: what it says about them cannot be checked, and is not.
  bool alone = false;
};

// One declared option, for describing.
struct OptionInfo {
  std::int32_t handle = -1;
  const muster_option* declaration = nullptr;
  std::vector<std::string> declared_by;  // definitions; "host" for the host's own
};

// Group overrides as text, by option name.
using Overrides = std::map<std::string, std::string, std::less<>>;

class Options {
 public:
  struct Impl;

  [[nodiscard]] static std::expected<std::unique_ptr<Options>, ConfigErrors> build(
      const OptionsInput& input);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  // The table for one plugin's create; finds only what that plugin declared. Lives as long as this.
  [[nodiscard]] const muster_options* table_for(std::string_view definition) const;

  // All options by ascending name.
  [[nodiscard]] std::span<const OptionInfo> all() const;
  [[nodiscard]] const OptionInfo* find(std::string_view name) const;

  // Values of any option; `group` empty is host scope. The option must exist with that type.
  [[nodiscard]] bool boolean(std::string_view name, std::string_view group = {}) const;
  [[nodiscard]] std::int64_t int64(std::string_view name, std::string_view group = {}) const;
  [[nodiscard]] std::string string(std::string_view name, std::string_view group = {}) const;
  [[nodiscard]] std::vector<std::string> list(std::string_view name,
                                              std::string_view group = {}) const;

  // The value in force as text in Kafka's notation; nullopt is "none".
  [[nodiscard]] std::optional<std::string> text(const OptionInfo& option,
                                                std::string_view group = {}) const;
  [[nodiscard]] std::optional<std::string> default_text(const OptionInfo& option) const;
  [[nodiscard]] bool is_configured(const OptionInfo& option) const;

  // Group scope. check_group judges the whole set of overrides that a group would have.
  [[nodiscard]] std::expected<void, std::string> check_group(const Overrides& overrides) const;
  void set_group(std::string_view group, std::string_view name, std::optional<std::string> value);
  // What was written, as it is shown: without blanks around it, in the declared spelling.
  [[nodiscard]] std::string canonical_text(const OptionInfo& option,
                                           const std::string& written) const;
  [[nodiscard]] Overrides group_overrides(std::string_view group) const;

  [[nodiscard]] const FeatureLevels& features() const;
  [[nodiscard]] FeatureLevels& features();

 private:
  friend class OptionsBuilder;
  explicit Options(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// The options that the host itself declares: node.id, socket.request.max.bytes, ...
[[nodiscard]] std::span<const muster_option> host_options();

}  // namespace muster::host
