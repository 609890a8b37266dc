// TOML text to TomlNode. The only user of toml++.
#include "config/toml_document.hpp"

#include <toml++/toml.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <system_error>

namespace muster::host {
namespace {

std::string text_of(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

class Converter {
 public:
  explicit Converter(const std::string& source) : source_(source) {}

  TomlNode convert(const toml::node& node) const {
    TomlNode out;
    out.origin = {source_, static_cast<int>(node.source().begin.line)};
    if (const auto* table = node.as_table()) return convert_table(*table, std::move(out));
    if (const auto* array = node.as_array()) return convert_array(*array, std::move(out));
    return convert_scalar(node, std::move(out));
  }

 private:
  static TomlNode convert_scalar(const toml::node& node, TomlNode out) {
    if (const auto* flag = node.as_boolean()) {
      out.kind = TomlNode::Kind::boolean;
      out.boolean = flag->get();
      out.text = out.boolean ? "true" : "false";
    } else if (const auto* whole = node.as_integer()) {
      out.kind = TomlNode::Kind::integer;
      out.integer = whole->get();
      out.text = std::to_string(out.integer);
    } else if (const auto* real = node.as_floating_point()) {
      out.kind = TomlNode::Kind::floating;
      out.text = text_of(real->get());
    } else if (const auto* words = node.as_string()) {
      out.kind = TomlNode::Kind::string;
      out.text = words->get();
    } else {
      out.kind = TomlNode::Kind::date;
    }
    return out;
  }

  TomlNode convert_array(const toml::array& array, TomlNode out) const {
    out.kind = TomlNode::Kind::array;
    for (const toml::node& item : array) out.items.push_back(convert(item));
    return out;
  }

  // toml++ keeps keys sorted; people read their files from top to bottom.
  TomlNode convert_table(const toml::table& table, TomlNode out) const {
    out.kind = TomlNode::Kind::table;
    std::vector<std::pair<toml::source_position, const toml::key*>> order;
    for (const auto& [key, node] : table) order.emplace_back(key.source().begin, &key);
    std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [position, key] : order) {
      TomlNode child = convert(*table.get(key->str()));
      if (child.origin.line == 0) child.origin.line = static_cast<int>(position.line);
      out.members.push_back({std::string(key->str()), std::move(child)});
    }
    return out;
  }

  const std::string& source_;
};

ConfigErrors one_error(Origin origin, std::string message) {
  return ConfigErrors{{ConfigError{std::move(origin), std::move(message), false}}};
}

// A longer name whose beginning is a name of its own cannot be written as a bare dotted key: TOML
// makes a table of the beginning. toml++ says only that something was redefined.
std::string explain(const toml::parse_error& error) {
  std::string what(error.description());
  const auto says = [&](std::string_view words) { return what.find(words) != std::string::npos; };
  if (says("redefine") && says("parsing key-value") &&
      (says("as dotted") || says("existing table"))) {
    what +=
        "; if one option's name begins with another's, write both in quotes, as in "
        "\"a.b\" = 1 and \"a.b.c\" = 2";
  }
  return what;
}

}  // namespace

const TomlNode* TomlNode::find(std::string_view key) const {
  const auto at = std::ranges::find(members, key, &TomlMember::name);
  return at == members.end() ? nullptr : &at->node;
}

std::string_view to_string(TomlNode::Kind kind) {
  switch (kind) {
    case TomlNode::Kind::boolean: return "a boolean";
    case TomlNode::Kind::integer: return "an integer";
    case TomlNode::Kind::floating: return "a floating-point number";
    case TomlNode::Kind::string: return "a string";
    case TomlNode::Kind::date: return "a date or time";
    case TomlNode::Kind::array: return "a list";
    case TomlNode::Kind::table: return "a table";
  }
  return "nothing known";
}

std::expected<TomlNode, ConfigErrors> parse_toml(std::string_view text, const std::string& source) {
  try {
    const toml::table table = toml::parse(text, source);
    return Converter(source).convert(table);
  } catch (const toml::parse_error& error) {
    return std::unexpected(
        one_error({source, static_cast<int>(error.source().begin.line)}, explain(error)));
  }
}

std::expected<TomlNode, ConfigErrors> parse_toml_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    return std::unexpected(one_error({file.string(), 0}, "this is a folder, not a TOML file"));
  }
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    const std::string why = std::generic_category().message(errno);
    return std::unexpected(one_error({file.string(), 0}, "cannot be read: " + why));
  }
  const std::string text(std::istreambuf_iterator<char>(in), {});
  return parse_toml(text, file.string());
}

}  // namespace muster::host
