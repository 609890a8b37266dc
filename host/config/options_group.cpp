// Options: judging, setting and clamping what single groups override, in Kafka's words.
#include "config/options_impl.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace muster::host {
namespace {

// Kafka lets its assignors be named by class, too.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> class_names{{
    {"org.apache.kafka.coordinator.group.assignor.RangeAssignor", "range"},
    {"org.apache.kafka.coordinator.group.assignor.SimpleAssignor", "simple"},
    {"org.apache.kafka.coordinator.group.assignor.UniformAssignor", "uniform"},
}};

std::string_view without_class(std::string_view name) {
  const auto at =
      std::ranges::find(class_names, name, &std::pair<std::string_view, std::string_view>::first);
  return at == class_names.end() ? name : at->second;
}

using Verdict = std::expected<void, std::string>;

}  // namespace

void ExportNames::add(std::string_view interface_id, std::string_view definition,
                      std::string_view name) {
  names_[std::string(interface_id)][std::string(name)].emplace_back(definition);
}

std::expected<std::string, std::string> ExportNames::resolve(std::string_view interface_id,
                                                             std::string_view name) const {
  const auto of_interface = names_.find(interface_id);
  const std::string_view wanted = without_class(name);
  const std::size_t slash = wanted.find('/');
  const std::string_view bare = slash == std::string_view::npos ? wanted : wanted.substr(slash + 1);
  if (of_interface != names_.end()) {
    const auto at = of_interface->second.find(bare);
    if (at != of_interface->second.end()) {
      const auto& definitions = at->second;
      if (slash == std::string_view::npos) {
        if (definitions.size() == 1) return std::string(bare);
        return std::unexpected("'" + std::string(bare) + "' is offered by '" + definitions[0] +
                               "' and '" + definitions[1] + "': write " + definitions[0] + "/" +
                               std::string(bare));
      }
      if (std::ranges::find(definitions, wanted.substr(0, slash)) != definitions.end()) {
        return std::string(wanted);
      }
    }
  }
  return std::unexpected("no loaded plugin offers '" + std::string(name) + "' as " +
                         std::string(interface_id));
}

std::expected<OptionValue, std::string> Options::Impl::parse(const OptionState& state,
                                                             std::string_view text) const {
  const muster_option& option = *state.declaration;
  auto value = parse_option(option, text);
  if (!value || option.names == nullptr || !check_names) return value;
  const bool is_list = option.type == MUSTER_OPTION_LIST;
  std::vector<std::string> names = is_list ? value->items : std::vector{value->text};
  for (std::string& name : names) {
    auto resolved = exports.resolve(option.names, name);
    if (!resolved) return std::unexpected(resolved.error());
    name = std::move(*resolved);
  }
  if (is_list) return list_value(std::move(names));
  value->text = names.front();
  return value;
}

OptionValue Options::Impl::clamp(const OptionState& state, OptionValue value) const {
  const muster_option& option = *state.declaration;
  if (!is_number(option)) return value;
  if (state.min_of >= 0) {
    const OptionValue& low = states[static_cast<std::size_t>(state.min_of)].value;
    if (compare_numbers(option, value, low) < 0) value = low.copy();
  }
  if (state.max_of >= 0) {
    const OptionValue& high = states[static_cast<std::size_t>(state.max_of)].value;
    if (compare_numbers(option, value, high) > 0) value = high.copy();
  }
  return value;
}

namespace {

// One group's overrides on the way to a verdict: what they say, and what else is in force.
class GroupCheck {
 public:
  GroupCheck(const Options::Impl& options, const Overrides& overrides)
      : options_(options), overrides_(overrides) {}

  // Kafka's order: all names, all values, all bounds, then what relates two of them.
  Verdict run() {
    if (Verdict good = read(); !good) return good;
    for (const auto& [handle, value] : values_) {
      if (Verdict good = check_bounds(state(handle), value); !good) return good;
    }
    for (const OptionInfo& info : options_.infos) {
      if (Verdict good = check_above(info); !good) return good;
    }
    return {};
  }

 private:
  const OptionState& state(std::int32_t handle) const {
    return options_.states[static_cast<std::size_t>(handle)];
  }

  Verdict read() {
    for (const auto& [name, text] : overrides_) {
      const std::int32_t handle = options_.handle_of(name);
      if (handle < 0 || state(handle).declaration->scope != MUSTER_OPTION_GROUP) {
        return std::unexpected("Unknown group config name: " + name);
      }
    }
    for (const auto& [name, text] : overrides_) {
      const std::int32_t handle = options_.handle_of(name);
      auto value = options_.parse(state(handle), text);
      if (!value) {
        return std::unexpected("Invalid value " + text + " for configuration " + name + ": " +
                               value.error());
      }
      values_.emplace(handle, std::move(*value));
    }
    return {};
  }

  Verdict check_bounds(const OptionState& option, const OptionValue& value) const {
    const muster_option& declared = *option.declaration;
    if (!is_number(declared)) return {};
    const OptionValue* low = option.min_of < 0 ? nullptr : &state(option.min_of).value;
    const OptionValue* high = option.max_of < 0 ? nullptr : &state(option.max_of).value;
    const bool below = low != nullptr && compare_numbers(declared, value, *low) < 0;
    const bool above = high != nullptr && compare_numbers(declared, value, *high) > 0;
    if (!below && !above) return {};
    const std::string must = std::string(declared.name) + " must be ";
    if (low == nullptr) return std::unexpected(must + "less than or equal to " + high->text);
    if (high == nullptr) return std::unexpected(must + "greater than or equal to " + low->text);
    return std::unexpected(must + "in the range " + low->text + " to " + high->text +
                           " inclusive.");
  }

  const OptionValue& in_force(std::int32_t handle) const {
    const auto own = values_.find(handle);
    return own == values_.end() ? state(handle).value : own->second;
  }

  Verdict check_above(const OptionInfo& info) const {
    const OptionState& option = state(info.handle);
    if (info.declaration->scope != MUSTER_OPTION_GROUP || option.above < 0) return {};
    if (!values_.contains(info.handle) && !values_.contains(option.above)) return {};
    if (compare_numbers(*info.declaration, in_force(info.handle), in_force(option.above)) > 0) {
      return {};
    }
    return std::unexpected(std::string(info.declaration->name) + " must be greater than " +
                           info.declaration->above);
  }

  const Options::Impl& options_;
  const Overrides& overrides_;
  std::map<std::int32_t, OptionValue> values_;
};

}  // namespace

std::expected<void, std::string> Options::check_group(const Overrides& overrides) const {
  return GroupCheck(*impl_, overrides).run();
}

void Options::set_group(std::string_view group, std::string_view name,
                        std::optional<std::string> value) {
  const std::int32_t handle = impl_->handle_of(name);
  if (handle < 0) return;
  if (!value) return impl_->groups.set(group, handle, std::nullopt);
  const OptionState& state = impl_->states[static_cast<std::size_t>(handle)];
  if (state.declaration->scope != MUSTER_OPTION_GROUP) return;
  auto parsed = impl_->parse(state, *value);
  // Stored under another plugin set: a value that this one cannot read leaves the default in force.
  if (!parsed) return impl_->groups.set(group, handle, std::nullopt);
  impl_->groups.set(group, handle,
                    GroupValues::Own{std::move(*value), impl_->clamp(state, std::move(*parsed))});
}

std::string Options::canonical_text(const OptionInfo& option, const std::string& written) const {
  const OptionState& state = impl_->states[static_cast<std::size_t>(option.handle)];
  const auto value = impl_->parse(state, written);
  return value ? value->text : written;
}

Overrides Options::group_overrides(std::string_view group) const {
  Overrides out;
  for (auto& [handle, text] : impl_->groups.written(group)) {
    out.emplace(impl_->infos[static_cast<std::size_t>(handle)].declaration->name, std::move(text));
  }
  return out;
}

}  // namespace muster::host
