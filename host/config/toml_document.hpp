// A parsed TOML file as a plain tree that knows its lines; for configurations and plugin manifests.
// Owner: host/config. Keeps toml++ in one translation unit.
#pragma once

#include "config/host_config.hpp"

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace muster::host {

struct TomlMember;

struct TomlNode {
  enum class Kind { boolean, integer, floating, string, date, array, table };

  Kind kind = Kind::table;
  Origin origin;
  std::string text;  // of a scalar, as an option's text would spell it
  std::int64_t integer = 0;
  bool boolean = false;
  std::vector<TomlNode> items;      // array
  std::vector<TomlMember> members;  // table, in file order

  [[nodiscard]] const TomlNode* find(std::string_view key) const;
};

struct TomlMember {
  std::string name;
  TomlNode node;
};

[[nodiscard]] std::string_view to_string(TomlNode::Kind kind);

// `source` names the text in errors.
[[nodiscard]] std::expected<TomlNode, ConfigErrors> parse_toml(std::string_view text,
                                                               const std::string& source);
[[nodiscard]] std::expected<TomlNode, ConfigErrors> parse_toml_file(
    const std::filesystem::path& file);

}  // namespace muster::host
