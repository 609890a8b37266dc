// The header of one message: its structs with their fields and defaults.
#include "emit.hpp"
#include "expressions.hpp"

#include <algorithm>

namespace muster::generator {
namespace {

std::string constant(const std::string& name, int value) {
  return "static constexpr std::int16_t " + name + " = " + std::to_string(value) + ";\n";
}

std::string constants(const Message& message) {
  std::string out;
  if (message.api_key) {
    out += constant(message.is_record() ? "record_type" : "api_key", *message.api_key);
  }
  out += constant("min_version", message.versions.first);
  out += constant("max_version", message.versions.last);
  const int flexible = message.flexible.empty() ? never_flexible : message.flexible.first;
  return out + constant("first_flexible_version", flexible) + "\n";
}

// A struct that a std::optional member holds. Clang asks whether it can be made while the class
// around it is still open and a member's default cannot be looked at; a constructor of its own says
// yes.
bool held_by_optional(const Message& message, const Struct& s) {
  return std::ranges::any_of(message.structs, [&](const Struct& holder) {
    return std::ranges::any_of(holder.fields, [&](const Field& field) {
      return field.struct_name == s.name && field.optional() && !field.array;
    });
  });
}

std::string members(const Message& message, const Struct& s) {
  std::string out = held_by_optional(message, s) ? s.name + "() {}\n\n" : "";
  for (const Field& field : s.fields) {
    out += field_type(field) + " " + field.identifier;
    const std::string value = default_expression(field);
    out += value == "{}" ? "{};\n" : " = " + value + ";\n";
  }
  if (!s.fields.empty()) out += "\n";
  out += "void read(Reader& in, std::int16_t version);\n";
  out += "void write(Writer& out, std::int16_t version) const;\n";
  out += "[[nodiscard]] std::size_t size(std::int16_t version) const;\n";
  out += "friend bool operator==(const " + s.name + "&, const " + s.name + "&) = default;\n";
  return out;
}

}  // namespace

std::string emit_header(const Message& message) {
  std::string out = "// Generated from " + message.name + ".json.\n#pragma once\n\n";
  out += "#include <muster/protocol/codec.hpp>\n\nnamespace muster::protocol {\n\n";
  out += "struct " + message.name + " {\n" + constants(message);
  for (const Struct& s : message.structs) {
    if (&s == &message.root()) break;
    out += "struct " + s.name + " {\n" + members(message, s) + "};\n\n";
  }
  out += members(message, message.root()) + "};\n\n}  // namespace muster::protocol\n";
  return indented(out);
}

}  // namespace muster::generator
