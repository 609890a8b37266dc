// check_descriptor: what stands in muster_plugin itself.
#include "config/option_value.hpp"
#include "plugins/table_check.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace muster::host {
namespace {

using Verdict = std::expected<void, std::string>;

constexpr std::uint32_t most_exports = 256;
constexpr std::uint32_t most_options = 4096;

std::string quoted(const char* text) { return "'" + std::string(text) + "'"; }

// Letters, digits, '-' and '_', in at least two parts joined by dots.
bool is_reverse_dns(std::string_view id) {
  const auto legal = [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_' || c == '.';
  };
  return std::ranges::all_of(id, legal) && id.find('.') != std::string_view::npos &&
         !id.starts_with('.') && !id.ends_with('.') && id.find("..") == std::string_view::npos;
}

Verdict check_versions(const muster_plugin& plugin) {
  const auto version = [](std::uint32_t major, std::uint32_t minor) {
    return std::to_string(major) + "." + std::to_string(minor);
  };
  const std::string mine = version(MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR);
  const std::string its = version(plugin.abi_major, plugin.abi_minor);
  if (plugin.abi_major != MUSTER_ABI_MAJOR) {
    return std::unexpected("it is made for border " + its + ", and this host has " + mine);
  }
  if (plugin.abi_minor > MUSTER_ABI_MINOR) {
    return std::unexpected("it needs border " + its + ", and this host has " + mine);
  }
  return {};
}

Verdict check_option(const muster_option& option) {
  if (option.name == nullptr || *option.name == '\0') {
    return std::unexpected("one of its options has no name");
  }
  const std::string name = quoted(option.name);
  if (option.type < MUSTER_OPTION_BOOL || option.type > MUSTER_OPTION_LIST) {
    return std::unexpected("its option " + name + " has the unknown type " +
                           std::to_string(option.type));
  }
  if (option.scope != MUSTER_OPTION_HOST && option.scope != MUSTER_OPTION_GROUP) {
    return std::unexpected("its option " + name + " has the unknown scope " +
                           std::to_string(option.scope));
  }
  if (option.scope == MUSTER_OPTION_HOST &&
      (option.default_of != nullptr || option.min_of != nullptr || option.max_of != nullptr)) {
    return std::unexpected("its option " + name +
                           " takes its default or bounds from another, "
                           "which only group options may");
  }
  if (option.default_of == nullptr && option.default_value != nullptr) {
    const auto value = parse_option(option, option.default_value);
    if (!value) {
      return std::unexpected("its option " + name + " has the default " +
                             quoted(option.default_value) + ": " + value.error());
    }
  }
  return {};
}

Verdict check_options(const muster_export& exported) {
  if (exported.option_count > most_options ||
      (exported.option_count > 0 && exported.options == nullptr)) {
    return std::unexpected("its list of options is broken");
  }
  for (std::uint32_t i = 0; i < exported.option_count; ++i) {
    if (Verdict good = check_option(exported.options[i]); !good) return good;
  }
  return {};
}

Verdict check_features(const muster_export& exported) {
  if (exported.feature_count > most_options ||
      (exported.feature_count > 0 && exported.features == nullptr)) {
    return std::unexpected("its list of features is broken");
  }
  for (std::uint32_t i = 0; i < exported.feature_count; ++i) {
    const muster_feature& feature = exported.features[i];
    if (feature.name == nullptr) return std::unexpected("one of its features has no name");
    if (feature.min < 0 || feature.min > feature.default_level ||
        feature.default_level > feature.max) {
      return std::unexpected("its feature " + quoted(feature.name) + " has the levels " +
                             std::to_string(feature.min) + " to " + std::to_string(feature.max) +
                             " and the default " + std::to_string(feature.default_level));
    }
  }
  return {};
}

Verdict check_export(const muster_export& exported) {
  if (exported.interface_id == nullptr || exported.name == nullptr || *exported.name == '\0') {
    return std::unexpected("one of its exports has no interface or no name");
  }
  const auto complain = [&](const std::string& why) {
    return std::unexpected("its " + std::string(exported.interface_id) + " " +
                           quoted(exported.name) + ": " + why);
  };
  if (Verdict good = check_table(exported); !good) return complain(good.error());
  if (Verdict good = check_options(exported); !good) return good;
  return check_features(exported);
}

Verdict check_exports(const muster_plugin& plugin) {
  if (plugin.export_count == 0) return std::unexpected("it offers nothing");
  if (plugin.export_count > most_exports || plugin.exports == nullptr) {
    return std::unexpected("its list of exports is broken");
  }
  std::string unknown;
  bool useful = false;
  for (std::uint32_t i = 0; i < plugin.export_count; ++i) {
    const muster_export& exported = plugin.exports[i];
    if (Verdict good = check_export(exported); !good) return good;
    for (std::uint32_t j = 0; j < i; ++j) {
      const muster_export& other = plugin.exports[j];
      if (std::string_view(other.interface_id) == exported.interface_id &&
          std::string_view(other.name) == exported.name) {
        return std::unexpected("it offers " + std::string(exported.interface_id) + " " +
                               quoted(exported.name) + " twice");
      }
    }
    useful = useful || is_known_interface(exported.interface_id);
    if (!useful) unknown = exported.interface_id;
  }
  if (!useful) return std::unexpected("it offers nothing that this host knows, but " + unknown);
  return {};
}

}  // namespace

Verdict check_descriptor(const muster_plugin& plugin) {
  if (plugin.struct_size < offsetof(muster_plugin, exports) + sizeof(void*)) {
    return std::unexpected("its descriptor is too short: " + std::to_string(plugin.struct_size) +
                           " bytes");
  }
  if (Verdict good = check_versions(plugin); !good) return good;
  if (plugin.id == nullptr) return std::unexpected("it has no id");
  if (!is_reverse_dns(plugin.id)) {
    return std::unexpected("its id " + quoted(plugin.id) + " is not a reverse DNS name");
  }
  if (plugin.version == nullptr || *plugin.version == '\0') {
    return std::unexpected("it has no version");
  }
  if (plugin.license == nullptr) return std::unexpected("it has no license");
  return check_exports(plugin);
}

}  // namespace muster::host
