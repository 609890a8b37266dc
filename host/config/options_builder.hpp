// Makes Options of declarations and configured values, and finds everything wrong with both.
// Owner: host/config. Used once, by Options::build.
#pragma once

#include "config/options_impl.hpp"

#include <map>
#include <string>
#include <vector>

namespace muster::host {

class OptionsBuilder {
 public:
  explicit OptionsBuilder(const OptionsInput& input);
  [[nodiscard]] std::expected<std::unique_ptr<Options>, ConfigErrors> build();

 private:
  struct Declared {
    const muster_option* option = nullptr;
    std::vector<std::string> by;
  };

  void collect_declarations();
  void declare(const std::string& definition, const muster_option& option);
  void collect_features();
  void declare_feature(const std::string& definition, const muster_feature& feature);
  void make_states();
  void make_plugin_tables();
  void apply_defaults();
  void check_defaults();
  void apply_feature_levels();
  void apply_values();
  void apply_value(const ConfiguredValue& configured);
  void resolve_references();
  void resolve_reference(OptionState& state, const char* name, std::int32_t& handle);
  void apply_group_defaults();
  void check_bounds();
  void check_bounds_of(const OptionState& state);

  void fail(const Origin& origin, std::string message);
  [[nodiscard]] const OptionState& at(std::int32_t handle) const;
  [[nodiscard]] std::vector<std::string> option_names() const;
  [[nodiscard]] std::string declarers_of(const OptionState& state) const;

  const OptionsInput& input_;
  std::map<std::string, Declared, std::less<>> declared_;
  std::map<std::string, FeatureLevel, std::less<>> features_;
  std::map<const OptionState*, std::string> bad_defaults_;
  std::unique_ptr<Options::Impl> impl_;
  ConfigErrors errors_;
};

}  // namespace muster::host
