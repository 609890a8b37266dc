// Options: declared as constant data, read through handles that are resolved once. A handle's
// value may be read in any slot on any thread; strings and lists live until the slot returns.
#pragma once

#include <muster/abi/options.h>

#include <cstdint>
#include <string_view>

#include <muster/sdk/text.hpp>
#include <muster/sdk/types.hpp>

namespace muster::sdk {

// One declared option, built up in a constant expression:
//   static constexpr muster_option options[] = {
//       sdk::int_option("group.x.timeout.ms").by_default("45000").range("1", nullptr).doc("..."),
//   };
class DeclaredOption {
 public:
  constexpr DeclaredOption(const char* name, std::int32_t type, std::int32_t config_type)
      : option_{} {
    option_.name = name;
    option_.type = type;
    option_.scope = MUSTER_OPTION_HOST;
    option_.config_type = config_type;
  }

  constexpr operator const muster_option&() const { return option_; }

  // Set by IncrementalAlterConfigs on a GROUP, one value a group id; else one for the process.
  constexpr DeclaredOption per_group() const {
    DeclaredOption copy = *this;
    copy.option_.scope = MUSTER_OPTION_GROUP;
    return copy;
  }
  constexpr DeclaredOption internal() const {
    DeclaredOption copy = *this;
    copy.option_.flags |= MUSTER_OPTION_INTERNAL;
    return copy;
  }
  constexpr DeclaredOption by_default(const char* text) const {
    return with(&muster_option::default_value, text);
  }
  constexpr DeclaredOption range(const char* min, const char* max) const {
    return with(&muster_option::min, min).with(&muster_option::max, max);
  }
  constexpr DeclaredOption one_of(const char* comma_separated) const {
    return with(&muster_option::one_of, comma_separated);
  }
  constexpr DeclaredOption default_of(const char* option) const {
    return with(&muster_option::default_of, option);
  }
  constexpr DeclaredOption bounds_of(const char* min_option, const char* max_option) const {
    return with(&muster_option::min_of, min_option).with(&muster_option::max_of, max_option);
  }
  constexpr DeclaredOption above(const char* option) const {
    return with(&muster_option::above, option);
  }
  constexpr DeclaredOption names(const char* interface_id) const {
    return with(&muster_option::names, interface_id);
  }
  constexpr DeclaredOption doc(const char* line) const { return with(&muster_option::doc, line); }
  constexpr DeclaredOption since(const char* version) const {
    return with(&muster_option::since, version);
  }

 private:
  constexpr DeclaredOption with(const char* muster_option::* member, const char* text) const {
    DeclaredOption copy = *this;
    copy.option_.*member = text;
    return copy;
  }

  muster_option option_;
};

// Named after what DescribeConfigs calls them; int and long are both int64 here.
constexpr DeclaredOption bool_option(const char* name) { return {name, MUSTER_OPTION_BOOL, 1}; }
constexpr DeclaredOption string_option(const char* name) { return {name, MUSTER_OPTION_STRING, 2}; }
constexpr DeclaredOption int_option(const char* name) { return {name, MUSTER_OPTION_INT64, 3}; }
constexpr DeclaredOption long_option(const char* name) { return {name, MUSTER_OPTION_INT64, 5}; }
constexpr DeclaredOption double_option(const char* name) {
  return {name, MUSTER_OPTION_FLOAT64, 6};
}
constexpr DeclaredOption list_option(const char* name) { return {name, MUSTER_OPTION_LIST, 7}; }

// The values of one plugin's own options, as create gets them. Cheap to copy.
class Options {
 public:
  explicit Options(const muster_options* table) : table_(table) {}

  // Throws for an option that the plugin did not declare: a bug of the plugin.
  std::int32_t find(std::string_view name) const {
    const std::int32_t handle = offered(table_, &muster_options::find)(table_->self, to_str(name));
    if (handle < 0) throw Failure(MUSTER_INTERNAL, text("option ", name, " is not declared"));
    return handle;
  }
  const muster_options* table() const { return table_; }

 private:
  const muster_options* table_;
};

// A resolved option; called with a group id for group scope, with nothing for host scope.
template <auto Slot, class Raw, class Value, Value (*Convert)(Raw)>
class OptionOf {
 public:
  OptionOf(const Options& options, std::string_view name)
      : table_(options.table()), handle_(options.find(name)) {}

  Value operator()(std::string_view group = {}) const {
    return Convert(offered(table_, Slot)(table_->self, handle_, to_str(group)));
  }

 private:
  const muster_options* table_;
  std::int32_t handle_;
};

namespace detail {
constexpr bool as_bool(std::int32_t value) { return value != 0; }
template <class Value>
constexpr Value as_is(Value value) {
  return value;
}
}  // namespace detail

using BoolOption = OptionOf<&muster_options::boolean, std::int32_t, bool, detail::as_bool>;
using Int64Option = OptionOf<&muster_options::int64, std::int64_t, std::int64_t, detail::as_is>;
using Float64Option = OptionOf<&muster_options::float64, double, double, detail::as_is>;
using StringOption = OptionOf<&muster_options::string, muster_str, std::string_view, to_view>;

class ListOption {
 public:
  ListOption(const Options& options, std::string_view name)
      : table_(options.table()), handle_(options.find(name)) {}

  Strings operator()(std::string_view group = {}) const {
    const muster_str* items = nullptr;
    const std::uint32_t count =
        offered(table_, &muster_options::list)(table_->self, handle_, to_str(group), &items);
    return {items, count};
  }

 private:
  const muster_options* table_;
  std::int32_t handle_;
};

}  // namespace muster::sdk
