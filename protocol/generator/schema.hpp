// A message schema as the generator sees it: versions resolved, structs in definition order.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace muster::generator {

// An inclusive range of versions; empty when first > last.
struct Versions {
  int first = 0;
  int last = -1;

  [[nodiscard]] bool empty() const { return first > last; }
  [[nodiscard]] bool contains(Versions other) const {
    return other.empty() || (first <= other.first && last >= other.last);
  }
  friend Versions operator&(Versions a, Versions b) {
    return {a.first > b.first ? a.first : b.first, a.last < b.last ? a.last : b.last};
  }
};

inline constexpr int open_end = 32767;
inline constexpr int never_flexible = 32767;

enum class Kind {
  boolean,
  int8,
  int16,
  uint16,
  int32,
  int64,
  float64,
  uuid,
  string,
  bytes,
  structure
};

struct Field {
  std::string name;         // as in the schema
  std::string identifier;   // as in C++
  Kind kind = Kind::int32;  // of the element, for arrays
  std::string struct_name;
  bool array = false;
  Versions versions;
  Versions nullable;
  Versions flexible;
  std::optional<unsigned> tag;
  std::optional<std::string> default_value;

  [[nodiscard]] bool optional() const { return !nullable.empty(); }
  [[nodiscard]] bool null_by_default() const { return optional() && default_value == "null"; }
};

struct Struct {
  std::string name;
  Versions versions;
  Versions flexible;
  std::vector<Field> fields;
  std::size_t minimal_size = 0;  // on the wire, over all its versions
};

struct Message {
  std::string name;
  std::string type;  // request, response, header, data, coordinator-key, coordinator-value
  std::string file;  // base name of the generated files
  std::optional<int> api_key;
  Versions versions;
  Versions flexible;
  std::vector<Struct> structs;  // what a struct needs stands before it; the message itself is last

  [[nodiscard]] const Struct& root() const { return structs.back(); }
  [[nodiscard]] const Struct& find(const std::string& struct_name) const;
  [[nodiscard]] bool is_record() const { return type.starts_with("coordinator-"); }
  [[nodiscard]] std::string folder() const { return is_record() ? "records" : "messages"; }
};

// Throws std::runtime_error with the file and what is wrong with it.
Message load_message(const std::filesystem::path& path);

std::string read_file(const std::filesystem::path& path);

}  // namespace muster::generator
