// Options: lookups by name and through the border's table.
#include "config/options.hpp"

#include "config/options_impl.hpp"

#include <algorithm>
#include <cassert>

namespace muster::host {
namespace {

std::string_view view(muster_str text) {
  return text.data == nullptr ? std::string_view() : std::string_view(text.data, text.size);
}

const PluginOptions& of(void* self) { return *static_cast<const PluginOptions*>(self); }

std::int32_t find_slot(void* self, muster_str name) {
  const auto& handles = of(self).handles;
  const auto at = handles.find(view(name));
  return at == handles.end() ? -1 : at->second;
}

std::int32_t boolean_slot(void* self, std::int32_t option, muster_str group) {
  bool out = false;
  of(self).owner->with(option, view(group), [&](const OptionValue& v) { out = v.boolean; });
  return out ? 1 : 0;
}

std::int64_t int64_slot(void* self, std::int32_t option, muster_str group) {
  return of(self).owner->int64(option, view(group));
}

double float64_slot(void* self, std::int32_t option, muster_str group) {
  double out = 0;
  of(self).owner->with(option, view(group), [&](const OptionValue& v) { out = v.floating; });
  return out;
}

muster_str string_slot(void* self, std::int32_t option, muster_str group) {
  muster_str out{nullptr, 0};
  of(self).owner->with(option, view(group), [&](const OptionValue& v) {
    if (!v.none) out = {v.text.data(), v.text.size()};
  });
  return out;
}

std::uint32_t list_slot(void* self, std::int32_t option, muster_str group,
                        const muster_str** items) {
  std::uint32_t count = 0;
  *items = nullptr;
  of(self).owner->with(option, view(group), [&](const OptionValue& v) {
    count = static_cast<std::uint32_t>(v.views.size());
    *items = v.views.data();
  });
  return count;
}

std::optional<std::string> text_of(const OptionValue& value) {
  if (value.none) return std::nullopt;
  return value.text;
}

}  // namespace

PluginOptions make_plugin_options(const Options::Impl& owner) {
  PluginOptions plugin;
  plugin.owner = &owner;
  plugin.table.struct_size = sizeof(muster_options);
  plugin.table.find = find_slot;
  plugin.table.boolean = boolean_slot;
  plugin.table.int64 = int64_slot;
  plugin.table.float64 = float64_slot;
  plugin.table.string = string_slot;
  plugin.table.list = list_slot;
  return plugin;
}

Options::Options(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Options::~Options() = default;

const muster_options* Options::table_for(std::string_view definition) const {
  const auto at = impl_->plugins.find(definition);
  return at == impl_->plugins.end() ? nullptr : &at->second.table;
}

std::span<const OptionInfo> Options::all() const { return impl_->infos; }

const OptionInfo* Options::find(std::string_view name) const {
  const std::int32_t handle = impl_->handle_of(name);
  return handle < 0 ? nullptr : &impl_->infos[static_cast<std::size_t>(handle)];
}

bool Options::boolean(std::string_view name, std::string_view group) const {
  bool out = false;
  assert(find(name) != nullptr);
  impl_->with(impl_->handle_of(name), group, [&](const OptionValue& v) { out = v.boolean; });
  return out;
}

std::int64_t Options::int64(std::string_view name, std::string_view group) const {
  assert(find(name) != nullptr);
  return impl_->int64(impl_->handle_of(name), group);
}

std::string Options::string(std::string_view name, std::string_view group) const {
  std::string out;
  assert(find(name) != nullptr);
  impl_->with(impl_->handle_of(name), group, [&](const OptionValue& v) { out = v.text; });
  return out;
}

std::vector<std::string> Options::list(std::string_view name, std::string_view group) const {
  std::vector<std::string> out;
  assert(find(name) != nullptr);
  impl_->with(impl_->handle_of(name), group, [&](const OptionValue& v) { out = v.items; });
  return out;
}

std::optional<std::string> Options::text(const OptionInfo& option, std::string_view group) const {
  std::optional<std::string> out;
  impl_->with(option.handle, group, [&](const OptionValue& v) { out = text_of(v); });
  return out;
}

std::optional<std::string> Options::default_text(const OptionInfo& option) const {
  return text_of(impl_->states[static_cast<std::size_t>(option.handle)].standard);
}

bool Options::is_configured(const OptionInfo& option) const {
  return impl_->states[static_cast<std::size_t>(option.handle)].configured;
}

const FeatureLevels& Options::features() const { return *impl_->features; }
FeatureLevels& Options::features() { return *impl_->features; }

std::int64_t Options::Impl::int64(std::int32_t handle, std::string_view group) const {
  if (handle >= 0 && static_cast<std::size_t>(handle) < states.size()) {
    const OptionState& state = states[static_cast<std::size_t>(handle)];
    if (state.feature != nullptr) return *state.feature;
  }
  std::int64_t out = 0;
  with(handle, group, [&](const OptionValue& v) { out = v.integer; });
  return out;
}

std::int32_t Options::Impl::handle_of(std::string_view name) const {
  const auto at = std::ranges::lower_bound(infos, name, {}, [](const OptionInfo& info) {
    return std::string_view(info.declaration->name);
  });
  if (at == infos.end() || at->declaration->name != name) return -1;
  return at->handle;
}

}  // namespace muster::host
