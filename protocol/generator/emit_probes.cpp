// For tests: functions that print every field of a message, and its entry in the table of probes.
#include "emit.hpp"
#include "names.hpp"

#include <algorithm>

namespace muster::generator {
namespace {

// What groupId and group_id have in common: the printed names favour neither Java nor C++.
std::string plain_name(const std::string& name) {
  std::string out = snake_case(name);
  std::erase(out, '_');
  return out;
}

std::string describe_struct(const Message& message, const Struct& s) {
  const std::string type = &s == &message.root() ? s.name : message.name + "::" + s.name;
  std::string out =
      "static void describe([[maybe_unused]] std::string& out, "
      "[[maybe_unused]] const " +
      type + "& value) {\n";
  std::string before = "{";
  for (const Field& field : s.fields) {
    out += "out += \"" + before + plain_name(field.name) + ":\";\n";
    out += "describe(out, value." + field.identifier + ");\n";
    before = ",";
  }
  return out + "out += \"" + (s.fields.empty() ? "{}" : "}") + "\";\n}\n\n";
}

std::string entry(const Message& message) {
  const bool key = message.type == "coordinator-key";
  const std::string form = !message.is_record() ? "message" : key ? "key" : "value";
  return "make_probe<" + message.name + ", Form::" + form + ">(\"" + message.name + "\"),\n";
}

}  // namespace

std::string emit_probes(const std::vector<Message>& messages) {
  std::string out = "// Generated from the schemas named below.\n#include \"probe.hpp\"\n\n";
  for (const Message& message : messages) {
    out += "#include <muster/protocol/" + message.folder() + "/" + message.file + ".hpp>\n";
  }
  out += "\nnamespace muster::protocol {\n\n";
  for (const Message& message : messages) {
    for (const Struct& s : message.structs) out += describe_struct(message, s);
  }
  out += "namespace testing {\nnamespace {\n\nconst bool registered = register_probes({\n";
  for (const Message& message : messages) out += entry(message);
  out += "});\n\n}  // namespace\n}  // namespace testing\n}  // namespace muster::protocol\n";
  return indented(out);
}

}  // namespace muster::generator
