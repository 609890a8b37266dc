// OptionsBuilder: declarations first, then values, then what relates one value to another.
#include "config/options_builder.hpp"

#include "config/host_settings.hpp"
#include "config/nearest_name.hpp"

#include <algorithm>
#include <cstring>

namespace muster::host {
namespace {

bool equal(const char* a, const char* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return std::strcmp(a, b) == 0;
}

// Everything that decides which values are legal and what they mean; not the words about it.
bool same_definition(const muster_option& a, const muster_option& b) {
  return a.type == b.type && a.scope == b.scope && a.config_type == b.config_type &&
         a.flags == b.flags && equal(a.default_value, b.default_value) && equal(a.min, b.min) &&
         equal(a.max, b.max) && equal(a.one_of, b.one_of) && equal(a.default_of, b.default_of) &&
         equal(a.min_of, b.min_of) && equal(a.max_of, b.max_of) && equal(a.above, b.above) &&
         equal(a.names, b.names);
}

bool kind_fits(const muster_option& option, const ConfiguredValue& configured) {
  if (configured.from_command_line) return true;
  switch (option.type) {
    case MUSTER_OPTION_BOOL: return configured.kind == ValueKind::boolean;
    case MUSTER_OPTION_INT64: return configured.kind == ValueKind::integer;
    case MUSTER_OPTION_FLOAT64:
      return configured.kind == ValueKind::integer || configured.kind == ValueKind::floating;
    case MUSTER_OPTION_LIST: return configured.kind == ValueKind::list;
    default: return configured.kind == ValueKind::string;
  }
}

}  // namespace

OptionsBuilder::OptionsBuilder(const OptionsInput& input)
    : input_(input), impl_(std::make_unique<Options::Impl>()) {
  impl_->check_names = !input.alone;
}

std::expected<std::unique_ptr<Options>, ConfigErrors> OptionsBuilder::build() {
  collect_declarations();
  collect_features();
  make_states();
  make_plugin_tables();
  resolve_references();
  apply_defaults();
  apply_feature_levels();
  apply_values();
  check_defaults();
  apply_group_defaults();
  if (errors_.errors.empty()) check_bounds();
  if (!errors_.errors.empty()) return std::unexpected(std::move(errors_));
  return std::unique_ptr<Options>(new Options(std::move(impl_)));
}

void OptionsBuilder::collect_declarations() {
  for (const muster_option& option : host_options()) declare("host", option);
  for (const OptionDeclarer& declarer : input_.declarers) {
    for (const muster_export* exported : declarer.exports) {
      impl_->exports.add(exported->interface_id, declarer.definition, exported->name);
      for (std::uint32_t i = 0; i < exported->option_count; ++i) {
        declare(declarer.definition, exported->options[i]);
      }
    }
  }
}

void OptionsBuilder::declare(const std::string& definition, const muster_option& option) {
  Declared& known = declared_[option.name];
  if (known.option == nullptr) {
    known.option = &option;
  } else if (!same_definition(*known.option, option)) {
    fail({}, "option '" + std::string(option.name) + "' is declared differently by '" +
                 known.by.front() + "' and '" + definition + "'");
    return;
  }
  if (std::ranges::find(known.by, definition) == known.by.end()) known.by.push_back(definition);
}

void OptionsBuilder::collect_features() {
  constexpr std::int16_t metadata_min = 7;
  constexpr std::int16_t metadata_max = 33;
  features_.emplace(metadata_version, FeatureLevel{std::string(metadata_version), metadata_min,
                                                   metadata_max, metadata_max});
  for (const OptionDeclarer& declarer : input_.declarers) {
    for (const muster_export* exported : declarer.exports) {
      for (std::uint32_t i = 0; i < exported->feature_count; ++i) {
        declare_feature(declarer.definition, exported->features[i]);
      }
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, feature] : features_) names.push_back(name);
  for (const auto& [name, setting] : input_.features) {
    const auto at = features_.find(name);
    if (at == features_.end()) {
      fail(setting.origin, "unknown feature '" + name + "'" + did_you_mean(name, names));
    } else if (setting.level < at->second.min || setting.level > at->second.max) {
      fail(setting.origin, "feature '" + name + "' has levels " + std::to_string(at->second.min) +
                               " to " + std::to_string(at->second.max) + ", not " +
                               std::to_string(setting.level));
    } else {
      at->second.level = static_cast<std::int16_t>(setting.level);
    }
  }
  std::vector<FeatureLevel> configured;
  for (const auto& [name, feature] : features_) configured.push_back(feature);
  impl_->features = std::make_unique<FeatureLevels>(configured);
}

void OptionsBuilder::declare_feature(const std::string& definition, const muster_feature& feature) {
  const FeatureLevel level{feature.name, feature.min, feature.max, feature.default_level};
  const auto [at, is_new] = features_.try_emplace(feature.name, level);
  if (level.min > level.max || level.level < level.min || level.level > level.max) {
    fail({}, "plugin '" + definition + "' declares feature '" + level.name +
                 "' with a default outside its levels");
  } else if (!is_new && (at->second.min != level.min || at->second.max != level.max ||
                         at->second.level != level.level)) {
    fail({}, "feature '" + level.name + "' is declared differently by two plugins, one of them '" +
                 definition + "'");
  }
}

void OptionsBuilder::make_states() {
  for (auto& [name, known] : declared_) {
    OptionState& state = impl_->states.emplace_back();
    state.declaration = known.option;
    impl_->infos.push_back(
        {static_cast<std::int32_t>(impl_->states.size()) - 1, known.option, known.by});
  }
}

void OptionsBuilder::make_plugin_tables() {
  for (const OptionDeclarer& declarer : input_.declarers) {
    impl_->plugins.emplace(declarer.definition, make_plugin_options(*impl_));
  }
  for (const OptionInfo& info : impl_->infos) {
    for (const std::string& definition : info.declared_by) {
      const auto plugin = impl_->plugins.find(definition);
      if (plugin == impl_->plugins.end()) continue;
      plugin->second.handles.emplace(info.declaration->name, info.handle);
    }
  }
  for (auto& [definition, plugin] : impl_->plugins) plugin.table.self = &plugin;
}

// A default may name exports that this set of plugins lacks; that matters only where it is in
// force.
void OptionsBuilder::apply_defaults() {
  for (OptionState& state : impl_->states) {
    const muster_option& option = *state.declaration;
    if (state.default_of >= 0 || option.default_value == nullptr) continue;
    auto standard = parse_option(option, option.default_value);
    if (!standard) {
      fail({}, "option '" + std::string(option.name) + "' of plugin " + declarers_of(state) +
                   " has a default that is not legal: '" + option.default_value +
                   "': " + standard.error());
      continue;
    }
    state.standard = std::move(*standard);
    auto value = impl_->parse(state, option.default_value);
    if (value) {
      state.value = std::move(*value);
    } else {
      bad_defaults_.emplace(&state, value.error());
    }
  }
}

void OptionsBuilder::check_defaults() {
  for (const OptionState& state : impl_->states) {
    const auto bad = bad_defaults_.find(&state);
    if (bad == bad_defaults_.end() || state.configured) continue;
    fail({}, "option '" + std::string(state.declaration->name) +
                 "' must be set, because of its "
                 "default '" +
                 state.declaration->default_value + "': " + bad->second);
  }
}

void OptionsBuilder::apply_feature_levels() {
  for (OptionState& state : impl_->states) {
    const auto feature = features_.find(std::string_view(state.declaration->name));
    if (feature == features_.end() || state.declaration->type != MUSTER_OPTION_INT64) continue;
    state.value.none = false;
    state.value.integer = feature->second.level;
    state.value.text = std::to_string(feature->second.level);
    state.standard = state.value.copy();
    state.feature = impl_->features->live(state.declaration->name);
  }
}

void OptionsBuilder::apply_values() {
  for (const ConfiguredValue& configured : input_.values) apply_value(configured);
}

void OptionsBuilder::apply_value(const ConfiguredValue& configured) {
  const std::string quoted = "'" + configured.name + "'";
  if (features_.contains(configured.name)) {
    return fail(configured.origin, quoted + " is a feature: set it in [features]");
  }
  const std::int32_t handle = impl_->handle_of(configured.name);
  if (handle < 0) {
    std::vector<std::string> known = option_names();
    if (configured.from_command_line) {
      for (const std::string& name : setting_names()) known.push_back(name);
    }
    return fail(configured.origin,
                "unknown option " + quoted + did_you_mean(configured.name, known));
  }
  OptionState& state = impl_->states[static_cast<std::size_t>(handle)];
  const muster_option& option = *state.declaration;
  if (option.scope == MUSTER_OPTION_GROUP) {
    std::string message = quoted + " is set per group, by IncrementalAlterConfigs";
    if (option.default_of != nullptr) {
      message += "; its default for all groups is '" + std::string(option.default_of) + "'";
    }
    return fail(configured.origin, message);
  }
  if (!kind_fits(option, configured)) {
    return fail(configured.origin, "option " + quoted + " must be " + type_text(option) +
                                       ", but is " + std::string(to_string(configured.kind)));
  }
  auto value = impl_->parse(state, configured.text);
  if (!value) {
    return fail(configured.origin, "invalid value '" + configured.text + "' for option " + quoted +
                                       ": " + value.error());
  }
  state.value = std::move(*value);
  state.configured = true;
  state.origin = configured.origin;
}

void OptionsBuilder::resolve_references() {
  for (OptionState& state : impl_->states) {
    const muster_option& option = *state.declaration;
    resolve_reference(state, option.default_of, state.default_of);
    resolve_reference(state, option.min_of, state.min_of);
    resolve_reference(state, option.max_of, state.max_of);
    resolve_reference(state, option.above, state.above);
    const bool same_scope = state.above < 0 || at(state.above).declaration->scope == option.scope;
    if (!same_scope) {
      fail({}, "option '" + std::string(option.name) + "' must be above '" + option.above +
                   "', which has another scope");
      state.above = -1;
    }
  }
}

void OptionsBuilder::resolve_reference(OptionState& state, const char* name, std::int32_t& handle) {
  if (name == nullptr) return;
  handle = impl_->handle_of(name);
  if (handle >= 0 || input_.alone) return;
  fail({}, "option '" + std::string(state.declaration->name) + "' of plugin " +
               declarers_of(state) + " refers to '" + name + "', which nobody declares");
}

// A group's default is the host's value; where that is a list and the group's a single name (the
// assignors), its first.
void OptionsBuilder::apply_group_defaults() {
  for (OptionState& state : impl_->states) {
    if (state.default_of < 0) continue;
    const OptionState& host = at(state.default_of);
    if (host.declaration->type == MUSTER_OPTION_LIST &&
        state.declaration->type == MUSTER_OPTION_STRING) {
      state.value.none = host.value.items.empty();
      state.value.text = state.value.none ? "" : host.value.items.front();
    } else {
      state.value = host.value.copy();
    }
    state.standard = state.value.copy();
  }
}

void OptionsBuilder::check_bounds() {
  for (const OptionState& state : impl_->states) check_bounds_of(state);
}

// The host's own values must keep the bounds that it sets for groups.
void OptionsBuilder::check_bounds_of(const OptionState& state) {
  const muster_option& option = *state.declaration;
  if (!is_number(option)) return;
  const bool of_group = option.scope == MUSTER_OPTION_GROUP;
  const OptionState& subject = state.default_of >= 0 ? at(state.default_of) : state;
  const std::string name =
      std::string("'") + subject.declaration->name + "' (" + subject.value.text + ")";
  const auto complain = [&](const OptionState& other, const std::string& relation) {
    const Origin& origin = subject.configured ? subject.origin : other.origin;
    fail(origin, "option " + name + " must be " + relation + " '" + other.declaration->name +
                     "' (" + other.value.text + ")");
  };
  if (state.min_of >= 0 && compare_numbers(option, subject.value, at(state.min_of).value) < 0) {
    complain(at(state.min_of), "greater than or equal to");
  }
  if (state.max_of >= 0 && compare_numbers(option, subject.value, at(state.max_of).value) > 0) {
    complain(at(state.max_of), "less than or equal to");
  }
  if (!of_group && state.above >= 0 &&
      compare_numbers(option, state.value, at(state.above).value) <= 0) {
    complain(at(state.above), "greater than");
  }
}

void OptionsBuilder::fail(const Origin& origin, std::string message) {
  errors_.errors.push_back({origin, std::move(message), false});
}

const OptionState& OptionsBuilder::at(std::int32_t handle) const {
  return impl_->states[static_cast<std::size_t>(handle)];
}

std::vector<std::string> OptionsBuilder::option_names() const {
  std::vector<std::string> names;
  for (const OptionInfo& info : impl_->infos) {
    if (info.declaration->scope == MUSTER_OPTION_HOST) names.emplace_back(info.declaration->name);
  }
  return names;
}

std::string OptionsBuilder::declarers_of(const OptionState& state) const {
  const std::int32_t handle = impl_->handle_of(state.declaration->name);
  return "'" + impl_->infos[static_cast<std::size_t>(handle)].declared_by.front() + "'";
}

std::expected<std::unique_ptr<Options>, ConfigErrors> Options::build(const OptionsInput& input) {
  return OptionsBuilder(input).build();
}

}  // namespace muster::host
