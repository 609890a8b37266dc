// The source of one message: read, write and size of each of its structs.
#include "emit.hpp"
#include "expressions.hpp"

#include <algorithm>

namespace muster::generator {
namespace {

// Emits one statement a field, given the versions in which it exists.
class FieldCode {
 public:
  FieldCode(const Message& message, const Field& field)
      : message_(message), field_(field), name_(field.identifier) {}

  [[nodiscard]] std::string read() const {
    return choose(&FieldCode::read_nullable, &FieldCode::read_plain);
  }
  [[nodiscard]] std::string write() const {
    return choose(&FieldCode::write_nullable, &FieldCode::write_plain);
  }
  // An expression: the field's size without tag.
  [[nodiscard]] std::string size() const {
    const std::string nullable = condition(field_.nullable, field_.versions);
    if (nullable == "true") return size_nullable();
    if (nullable == "false") return size_plain();
    return "(" + nullable + " ? " + size_nullable() + " : " + size_plain() + ")";
  }

 private:
  using Emit = std::string (FieldCode::*)() const;

  [[nodiscard]] std::string choose(Emit nullable_form, Emit plain_form) const {
    const std::string nullable = condition(field_.nullable, field_.versions);
    if (nullable == "true") return (this->*nullable_form)();
    if (nullable == "false") return (this->*plain_form)();
    return "if (" + nullable + ") {\n" + (this->*nullable_form)() + "} else {\n" +
           (this->*plain_form)() + "}\n";
  }

  [[nodiscard]] std::string read_plain() const {
    const std::string target = field_.optional() ? name_ + ".emplace()" : name_;
    if (field_.array) return "read_array(in, " + target + ", " + layout() + ");\n";
    if (field_.kind == Kind::structure) return target + ".read(in, v);\n";
    const std::string argument = fixed_size(field_) ? "" : compact(field_);
    return name_ + " = in.read_" + kind_name(field_.kind) + "(" + argument + ");\n";
  }
  [[nodiscard]] std::string read_nullable() const {
    if (field_.array) return "read_nullable_array(in, " + name_ + ", " + layout() + ");\n";
    if (field_.kind == Kind::structure) {
      return "if (in.read_presence(" + tagged() + ")) {\n" + name_ +
             ".emplace().read(in, v);\n} else {\n" + name_ + ".reset();\n}\n";
    }
    return name_ + " = in.read_nullable_" + kind_name(field_.kind) + "(" + compact(field_) + ");\n";
  }

  [[nodiscard]] std::string value() const {
    return field_.optional() ? "or_empty(" + name_ + ")" : name_;
  }
  [[nodiscard]] std::string write_plain() const {
    if (field_.array) return "write_array(out, " + value() + ", " + layout() + ");\n";
    if (field_.kind == Kind::structure) return value() + ".write(out, v);\n";
    const std::string argument = fixed_size(field_) ? "" : ", " + compact(field_);
    return "out.write_" + kind_name(field_.kind) + "(" + value() + argument + ");\n";
  }
  [[nodiscard]] std::string write_nullable() const {
    if (field_.array) return "write_nullable_array(out, " + name_ + ", " + layout() + ");\n";
    if (field_.kind == Kind::structure) {
      return "out.write_presence(" + name_ + ".has_value(), " + tagged() + ");\nif (" + name_ +
             ") " + name_ + "->write(out, v);\n";
    }
    return "out.write_nullable_" + kind_name(field_.kind) + "(" + name_ + ", " + compact(field_) +
           ");\n";
  }

  [[nodiscard]] std::string size_plain() const {
    if (field_.array) return "size_of_array(" + value() + ", " + layout() + ")";
    if (field_.kind == Kind::structure) return value() + ".size(v)";
    if (const auto fixed = fixed_size(field_)) return std::to_string(*fixed);
    return "size_of_" + kind_name(field_.kind) + "(" + value() + ", " + compact(field_) + ")";
  }
  [[nodiscard]] std::string size_nullable() const {
    if (field_.array) return "size_of_nullable_array(" + name_ + ", " + layout() + ")";
    if (field_.kind == Kind::structure) {
      return "(1 + (" + name_ + " ? " + name_ + "->size(v) : 0))";
    }
    return "size_of_nullable_" + kind_name(field_.kind) + "(" + name_ + ", " + compact(field_) +
           ")";
  }

  [[nodiscard]] std::string layout() const {
    const std::string braces = array_layout(message_, field_);
    return braces;
  }
  [[nodiscard]] std::string tagged() const { return field_.tag ? "true" : "false"; }

  const Message& message_;
  const Field& field_;
  const std::string& name_;
};

std::vector<const Field*> tagged_fields(const Struct& s) {
  std::vector<const Field*> out;
  for (const Field& field : s.fields) {
    if (field.tag) out.push_back(&field);
  }
  std::ranges::sort(out, {}, [](const Field* field) { return *field->tag; });
  return out;
}

std::string qualified(const Message& message, const Struct& s) {
  return s.name == message.name ? s.name : message.name + "::" + s.name;
}

std::string read_tag_section(const Message& message, const Struct& s) {
  const auto tagged = tagged_fields(s);
  if (tagged.empty()) return "in.skip_tagged_fields();\n";
  std::string out = "in.read_tagged_fields([&](std::uint32_t tag) {\nswitch (tag) {\n";
  for (const Field* field : tagged) {
    out += "case " + std::to_string(*field->tag) + ": {\n";
    const std::string exists = condition(field->versions, s.versions);
    if (exists != "true") {
      out += "if (!(" + exists + ")) {\n";
      out += "in.fail(\"tagged field of another version\");\nreturn true;\n}\n";
    }
    out += FieldCode(message, *field).read() + "return true;\n}\n";
  }
  return out + "default: {\nreturn false;\n}\n}\n});\n";
}

std::string emit_read(const Message& message, const Struct& s) {
  std::string out =
      "void " + qualified(message, s) + "::read(Reader& in, [[maybe_unused]] std::int16_t v) {\n";
  for (const Field& field : s.fields) {
    const std::string reset = field.identifier + " = " + default_expression(field) + ";\n";
    const std::string exists = condition(field.versions, s.versions);
    if (field.tag) {
      out += reset;
    } else if (exists == "true") {
      out += FieldCode(message, field).read();
    } else {
      out += "if (" + exists + ") {\n" + FieldCode(message, field).read() + "} else {\n" + reset +
             "}\n";
    }
  }
  out += guarded(condition(s.flexible, s.versions), read_tag_section(message, s));
  return out + "}\n\n";
}

// The condition under which a tagged field is written.
std::string present(const Struct& s, const Field& field) {
  const std::string exists = condition(field.versions, s.versions);
  return exists == "true" ? differs_from_default(field)
                          : exists + " && " + differs_from_default(field);
}

std::string write_tag_section(const Message& message, const Struct& s) {
  const auto tagged = tagged_fields(s);
  if (tagged.empty()) return "out.write_uvarint(0);\n";
  std::string out = "std::uint32_t tags = 0;\n";
  for (const Field* field : tagged) out += "if (" + present(s, *field) + ") ++tags;\n";
  out += "out.write_uvarint(tags);\n";
  for (const Field* field : tagged) {
    const FieldCode code(message, *field);
    out += "if (" + present(s, *field) + ") {\nout.write_tag(" + std::to_string(*field->tag) +
           ", " + code.size() + ");\n" + code.write() + "}\n";
  }
  return out;
}

std::string emit_write(const Message& message, const Struct& s) {
  std::string out = "void " + qualified(message, s) +
                    "::write([[maybe_unused]] Writer& out, "
                    "[[maybe_unused]] std::int16_t v) const {\n";
  for (const Field& field : s.fields) {
    if (field.tag) continue;
    out += guarded(condition(field.versions, s.versions), FieldCode(message, field).write());
  }
  out += guarded(condition(s.flexible, s.versions), write_tag_section(message, s));
  return out + "}\n\n";
}

std::string size_tag_section(const Message& message, const Struct& s) {
  const auto tagged = tagged_fields(s);
  if (tagged.empty()) return "total += 1;\n";
  std::string out = "std::uint32_t tags = 0;\n";
  for (const Field* field : tagged) {
    out += "if (" + present(s, *field) + ") {\n++tags;\ntotal += size_of_tagged(" +
           std::to_string(*field->tag) + ", " + FieldCode(message, *field).size() + ");\n}\n";
  }
  return out + "total += size_of_uvarint(tags);\n";
}

std::string emit_size(const Message& message, const Struct& s) {
  std::size_t fixed = 0;
  std::string body;
  for (const Field& field : s.fields) {
    if (field.tag) continue;
    const std::string exists = condition(field.versions, s.versions);
    const auto size = fixed_size(field);
    if (size && exists == "true") {
      fixed += *size;
    } else {
      body += guarded(exists, "total += " + FieldCode(message, field).size() + ";\n");
    }
  }
  body += guarded(condition(s.flexible, s.versions), size_tag_section(message, s));
  return "std::size_t " + qualified(message, s) +
         "::size([[maybe_unused]] std::int16_t v) const {\nstd::size_t total = " +
         std::to_string(fixed) + ";\n" + body + "return total;\n}\n\n";
}

}  // namespace

std::string emit_source(const Message& message) {
  std::string out = "// Generated from " + message.name + ".json.\n#include <muster/protocol/" +
                    message.folder() + "/" + message.file + ".hpp>\n\n";
  out += "#include <limits>\n\nnamespace muster::protocol {\n\n";
  for (const Struct& s : message.structs) {
    out += emit_read(message, s) + emit_write(message, s) + emit_size(message, s);
  }
  return indented(out + "}  // namespace muster::protocol\n");
}

}  // namespace muster::generator
