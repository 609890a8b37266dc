// Reads a schema file and checks what the emitters rely on.
#include "schema.hpp"

#include "names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <stdexcept>

namespace muster::generator {
namespace {

using Json = nlohmann::json;

const std::map<std::string, Kind> kinds = {
    {"bool", Kind::boolean},    {"int8", Kind::int8},    {"int16", Kind::int16},
    {"uint16", Kind::uint16},   {"int32", Kind::int32},  {"int64", Kind::int64},
    {"float64", Kind::float64}, {"uuid", Kind::uuid},    {"string", Kind::string},
    {"bytes", Kind::bytes},     {"records", Kind::bytes}};

Versions parse_versions(const std::string& text) {
  if (text == "none") return {};
  std::size_t used = 0;
  const int first = std::stoi(text, &used);
  if (used == text.size()) return {first, first};
  if (text.substr(used) == "+") return {first, open_end};
  if (text[used] == '-') return {first, std::stoi(text.substr(used + 1))};
  throw std::runtime_error("versions '" + text + "' make no sense");
}

Versions versions_of(const Json& json, const char* key) {
  return json.contains(key) ? parse_versions(json.at(key).get<std::string>()) : Versions{};
}

std::size_t minimal_size(const Message& message, const Field& field) {
  const bool ever_flexible = !(field.flexible & field.versions).empty();
  if (field.array || field.kind == Kind::bytes) return ever_flexible ? 1 : 4;
  switch (field.kind) {
    case Kind::boolean:
    case Kind::int8: return 1;
    case Kind::int16:
    case Kind::uint16: return 2;
    case Kind::int32: return 4;
    case Kind::int64:
    case Kind::float64: return 8;
    case Kind::uuid: return 16;
    case Kind::string: return ever_flexible ? 1 : 2;
    default: return field.optional() ? 1 : message.find(field.struct_name).minimal_size;
  }
}

// Walks a schema depth first, so that each struct is finished before it is used.
class Loader {
 public:
  explicit Loader(const Json& json) : json_(json) {}

  Message load() {
    message_.name = json_.at("name");
    message_.type = json_.at("type");
    message_.file = snake_case(message_.name);
    if (json_.contains("apiKey")) message_.api_key = json_.at("apiKey").get<int>();
    message_.versions = versions_of(json_, "validVersions");
    message_.flexible = versions_of(json_, "flexibleVersions") & message_.versions;
    if (json_.contains("commonStructs")) {
      for (const Json& common : json_.at("commonStructs")) commons_[common.at("name")] = &common;
    }
    if (!message_.versions.empty()) {
      add_struct(message_.name, message_.versions, json_.at("fields"));
    }
    return message_;
  }

 private:
  void add_struct(const std::string& name, Versions versions, const Json& fields) {
    if (!open_.insert(name).second) throw std::runtime_error(name + " contains itself");
    Struct result{name, versions, message_.flexible, {}, 0};
    for (const Json& json : fields) {
      Field field = parse_field(json, versions);
      if (field.versions.empty()) continue;
      if (field.kind == Kind::structure) need_struct(field, json);
      result.fields.push_back(std::move(field));
    }
    for (const Field& field : result.fields) {
      if (field.versions.contains(versions) && !field.tag) {
        result.minimal_size += minimal_size(message_, field);
      }
    }
    if (message_.flexible.contains(versions)) ++result.minimal_size;
    if (result.minimal_size == 0) result.minimal_size = 1;
    open_.erase(name);
    message_.structs.push_back(std::move(result));
  }

  void need_struct(const Field& field, const Json& json) {
    const bool known = std::ranges::any_of(
        message_.structs, [&](const Struct& s) { return s.name == field.struct_name; });
    if (json.contains("fields")) {
      if (known) throw std::runtime_error(field.struct_name + " is defined twice");
      add_struct(field.struct_name, field.versions, json.at("fields"));
    } else if (!known) {
      const auto common = commons_.find(field.struct_name);
      if (common == commons_.end()) throw std::runtime_error("unknown type " + field.struct_name);
      add_struct(field.struct_name, versions_of(*common->second, "versions") & message_.versions,
                 common->second->at("fields"));
    }
  }

  Field parse_field(const Json& json, Versions scope) {
    Field field;
    field.name = json.at("name");
    field.identifier = identifier(field.name);
    std::string type = json.at("type");
    if (type.starts_with("[]")) {
      field.array = true;
      type.erase(0, 2);
    }
    const auto kind = kinds.find(type);
    field.kind = kind == kinds.end() ? Kind::structure : kind->second;
    if (field.kind == Kind::structure) field.struct_name = type;
    field.versions = versions_of(json, "versions") & scope;
    field.nullable = versions_of(json, "nullableVersions") & field.versions;
    field.flexible = json.contains("flexibleVersions") ? versions_of(json, "flexibleVersions")
                                                       : message_.flexible;
    if (json.contains("tag")) field.tag = json.at("tag").get<unsigned>();
    if (json.contains("default")) field.default_value = json.at("default").get<std::string>();
    check(json, field);
    return field;
  }

  static void check(const Json& json, const Field& field) {
    const auto refuse = [&](const char* why) {
      throw std::runtime_error("field " + field.name + ": " + why);
    };
    if (field.tag && json.at("taggedVersions") != json.at("versions")) {
      refuse("tagged in some of its versions only");
    }
    const bool can_be_null = field.array || field.kind == Kind::string ||
                             field.kind == Kind::bytes || field.kind == Kind::structure;
    if (field.optional() && !can_be_null) refuse("this type has no null");
    const bool plain_default = !field.array && field.kind != Kind::structure &&
                               field.kind != Kind::bytes && field.kind != Kind::uuid;
    if (field.default_value && field.default_value != "null" && !plain_default) {
      refuse("this type has no default but null");
    }
    if (field.array &&
        (field.kind == Kind::bytes || field.kind == Kind::boolean || field.kind == Kind::float64)) {
      refuse("arrays of this type are not supported");
    }
  }

  const Json& json_;
  Message message_;
  std::map<std::string, const Json*> commons_;
  std::set<std::string> open_;
};

}  // namespace

const Struct& Message::find(const std::string& struct_name) const {
  for (const Struct& s : structs) {
    if (s.name == struct_name) return s;
  }
  throw std::runtime_error("no struct " + struct_name);
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw std::runtime_error(path.string() + ": cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

Message load_message(const std::filesystem::path& path) {
  try {
    const Json json = Json::parse(read_file(path));
    return Loader(json).load();
  } catch (const std::exception& error) {
    throw std::runtime_error(path.string() + ": " + error.what());
  }
}

}  // namespace muster::generator
