// What the generator can write: the text of one generated file each.
#pragma once

#include "schema.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace muster::generator {

std::string emit_header(const Message& message);
std::string emit_source(const Message& message);

struct HeaderAndSource {
  std::string header;
  std::string source;
};
HeaderAndSource emit_errors(const std::filesystem::path& errors);
HeaderAndSource emit_apis(const std::filesystem::path& apis, const std::vector<Message>& messages);

// For tests: functions that print each message's fields, and a table of what can be tried on it.
std::string emit_probes(const std::vector<Message>& messages);

// Indents by brackets: what the emitters write is flat.
std::string indented(const std::string& text);

}  // namespace muster::generator
