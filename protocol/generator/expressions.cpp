// The C++ expressions that header and source share: types, defaults, conditions on the version.
#include "expressions.hpp"

#include <limits>
#include <stdexcept>

namespace muster::generator {
namespace {

std::string integer_literal(const Field& field) {
  const std::string& text = *field.default_value;
  const long long value = std::stoll(text, nullptr, text.starts_with("0x") ? 16 : 10);
  if (value == std::numeric_limits<std::int32_t>::min()) {
    return "std::numeric_limits<std::int32_t>::min()";
  }
  if (value == std::numeric_limits<std::int32_t>::max()) {
    return "std::numeric_limits<std::int32_t>::max()";
  }
  if (value == std::numeric_limits<std::int64_t>::max()) {
    return "std::numeric_limits<std::int64_t>::max()";
  }
  return std::to_string(value);
}

std::string scalar_default(const Field& field) {
  const bool given = field.default_value.has_value();
  switch (field.kind) {
    case Kind::boolean: return given ? *field.default_value : "false";
    case Kind::float64: return given ? *field.default_value : "0.0";
    case Kind::string:
      return given && *field.default_value != "" && *field.default_value != "null"
                 ? '"' + *field.default_value + '"'
                 : "{}";
    case Kind::uuid:
    case Kind::bytes:
    case Kind::structure: return "{}";
    default: return given ? integer_literal(field) : "0";
  }
}

}  // namespace

std::string kind_name(Kind kind) {
  switch (kind) {
    case Kind::boolean: return "bool";
    case Kind::int8: return "int8";
    case Kind::int16: return "int16";
    case Kind::uint16: return "uint16";
    case Kind::int32: return "int32";
    case Kind::int64: return "int64";
    case Kind::float64: return "float64";
    case Kind::uuid: return "uuid";
    case Kind::string: return "string";
    case Kind::bytes: return "bytes";
    case Kind::structure: break;
  }
  throw std::logic_error("a struct has no kind name");
}

std::string element_type(const Field& field) {
  switch (field.kind) {
    case Kind::boolean: return "bool";
    case Kind::float64: return "double";
    case Kind::uuid: return "Uuid";
    case Kind::string: return "std::string_view";
    case Kind::bytes: return "Bytes";
    case Kind::structure: return field.struct_name;
    default: return "std::" + kind_name(field.kind) + "_t";
  }
}

std::string field_type(const Field& field) {
  std::string type = element_type(field);
  if (field.array) type = "std::vector<" + type + ">";
  if (field.optional()) type = "std::optional<" + type + ">";
  return type;
}

std::string default_expression(const Field& field) {
  if (field.null_by_default()) return "std::nullopt";
  if (!field.optional()) return field.array ? "{}" : scalar_default(field);
  const std::string type = element_type(field);
  if (field.array) return "std::vector<" + type + ">{}";
  const std::string scalar = scalar_default(field);
  return scalar == "{}" ? type + "{}" : type + "(" + scalar + ")";
}

std::string differs_from_default(const Field& field) {
  const std::string& name = field.identifier;
  if (field.null_by_default()) return name + ".has_value()";
  if (field.optional()) return name + " != " + default_expression(field);
  if (field.array || field.kind == Kind::bytes) return "!" + name + ".empty()";
  switch (field.kind) {
    case Kind::boolean: return scalar_default(field) == "true" ? "!" + name : name;
    case Kind::uuid: return "!" + name + ".is_zero()";
    case Kind::structure: return name + " != " + field.struct_name + "{}";
    case Kind::string:
      return scalar_default(field) == "{}" ? "!" + name + ".empty()"
                                           : name + " != " + scalar_default(field);
    default: return name + " != " + scalar_default(field);
  }
}

std::string condition(Versions versions, Versions scope) {
  const Versions common = versions & scope;
  if (common.empty()) return "false";
  if (common.contains(scope)) return "true";
  const std::string first = std::to_string(common.first);
  const std::string last = std::to_string(common.last);
  if (common.first == common.last) return "v == " + first;
  if (common.first == scope.first) return "v <= " + last;
  if (common.last == scope.last) return "v >= " + first;
  return "v >= " + first + " && v <= " + last;
}

std::string compact(const Field& field) { return condition(field.flexible, field.versions); }

std::string array_layout(const Message& message, const Field& field) {
  std::size_t minimal = 0;
  if (field.kind == Kind::structure) {
    minimal = message.find(field.struct_name).minimal_size;
  } else if (field.kind == Kind::string) {
    minimal = (field.flexible & field.versions).empty() ? 2 : 1;
  } else {
    Field element = field;
    element.array = false;
    minimal = fixed_size(element).value();
  }
  return "{" + compact(field) + ", v, " + std::to_string(minimal) + "}";
}

std::string guarded(const std::string& condition, const std::string& statement) {
  if (condition == "false") return "";
  if (condition == "true") return statement;
  return "if (" + condition + ") {\n" + statement + "}\n";
}

std::optional<std::size_t> fixed_size(const Field& field) {
  if (field.array) return std::nullopt;
  switch (field.kind) {
    case Kind::boolean:
    case Kind::int8: return 1;
    case Kind::int16:
    case Kind::uint16: return 2;
    case Kind::int32: return 4;
    case Kind::int64:
    case Kind::float64: return 8;
    case Kind::uuid: return 16;
    default: return std::nullopt;
  }
}

}  // namespace muster::generator
