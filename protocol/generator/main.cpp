// The generator: schemas in, C++ out. A file is written only if its text changed, so that an edited
// schema recompiles no more than it must.
#include "emit.hpp"

#include <exception>
#include <fstream>
#include <iostream>
#include <span>

namespace {

namespace fs = std::filesystem;
using namespace muster::generator;

void write_if_different(const fs::path& path, const std::string& text) {
  if (fs::exists(path) && read_file(path) == text) return;
  fs::create_directories(path.parent_path());
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text;
  if (!out.flush()) throw std::runtime_error(path.string() + ": cannot be written");
}

std::vector<Message> load_all(std::span<char*> paths) {
  std::vector<Message> messages;
  for (const char* path : paths) messages.push_back(load_message(path));
  return messages;
}

void write_pair(const fs::path& base, const HeaderAndSource& pair) {
  write_if_different(base.string() + ".hpp", pair.header);
  write_if_different(base.string() + ".cpp", pair.source);
}

constexpr auto usage = R"(usage:
  generator message SCHEMA OUT_BASE            OUT_BASE.hpp and OUT_BASE.cpp of one message
  generator errors ERRORS OUT_BASE
  generator apis APIS OUT_BASE SCHEMA...
  generator probes OUT_FILE SCHEMA...          for tests: field printers of these messages
)";

int run(std::span<char*> arguments) {
  const std::string_view command = arguments.empty() ? "" : arguments[0];
  if (command == "message" && arguments.size() == 3) {
    const Message message = load_message(arguments[1]);
    write_pair(arguments[2], {emit_header(message), emit_source(message)});
  } else if (command == "errors" && arguments.size() == 3) {
    write_pair(arguments[2], emit_errors(arguments[1]));
  } else if (command == "apis" && arguments.size() > 3) {
    write_pair(arguments[2], emit_apis(arguments[1], load_all(arguments.subspan(3))));
  } else if (command == "probes" && arguments.size() > 2) {
    write_if_different(arguments[1], emit_probes(load_all(arguments.subspan(2))));
  } else {
    std::cerr << usage;
    return 2;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(std::span(argv + 1, static_cast<std::size_t>(argc - 1)));
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
