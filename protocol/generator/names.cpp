// Kafka's CamelCase names as C++ identifiers.
#include "names.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>

namespace muster::generator {
namespace {

// Keywords, the members of every struct, and the local names of generated functions.
constexpr std::string_view taken[] = {
    "and",    "auto",     "bool",   "case", "char",    "class",  "const",    "default",
    "delete", "do",       "double", "enum", "export",  "false",  "float",    "int",
    "long",   "new",      "not",    "or",   "private", "public", "register", "short",
    "signed", "template", "this",   "true", "union",   "read",   "write",    "size",
    "in",     "out",      "tag",    "tags", "total",   "v"};

bool upper(char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; }

}  // namespace

std::string snake_case(std::string_view name) {
  std::string joined(name);
  if (const auto at = joined.find("KRaft"); at != std::string::npos) joined.replace(at, 5, "Kraft");
  std::string out;
  for (std::size_t i = 0; i < joined.size(); ++i) {
    const bool after_lower = i > 0 && !upper(joined[i - 1]);
    const bool before_lower = i > 0 && i + 1 < joined.size() && !upper(joined[i + 1]);
    if (upper(joined[i]) && (after_lower || before_lower) && !out.empty()) out.push_back('_');
    out.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(joined[i]))));
  }
  return out;
}

std::string identifier(std::string_view name) {
  std::string out = snake_case(name);
  if (std::ranges::find(taken, out) != std::end(taken)) out.push_back('_');
  return out;
}

}  // namespace muster::generator
