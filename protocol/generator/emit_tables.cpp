// The tables that are no messages: error codes and API versions.
#include "emit.hpp"
#include "names.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <stdexcept>

namespace muster::generator {
namespace {

using Json = nlohmann::json;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

constexpr auto errors_head = R"(// Generated from errors.json.
#pragma once

#include <cstdint>
#include <string_view>

namespace muster::protocol {

enum class Error : std::int16_t {
)";

constexpr auto errors_tail = R"(};

// Kafka's spelling, such as UNKNOWN_MEMBER_ID; empty for a code it does not have.
std::string_view name(Error error);

// Whether clients try again by themselves.
bool retriable(Error error);

// Whether clients refresh their metadata first.
bool refreshes_metadata(Error error);

constexpr std::int16_t code(Error error) { return static_cast<std::int16_t>(error); }

}  // namespace muster::protocol
)";

std::string flag_function(const Json& errors, const std::string& function, const char* key) {
  std::string out = "bool " + function + "(Error error) {\nswitch (error) {\n";
  for (const Json& error : errors) {
    if (error.at(key).get<bool>()) {
      out += "case Error::" + lower(error.at("name")) + ":\n";
    }
  }
  return out + "return true;\ndefault:\nreturn false;\n}\n}\n\n";
}

constexpr auto apis_head = R"(// Generated from apis.json and the request schemas.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace muster::protocol {

// What a Kafka 4.4.0 broker answers to ApiVersions, and what frames need to know.
struct ApiInfo {
  std::int16_t key;
  std::string_view name;
  std::int16_t min_version;
  std::int16_t max_version;
  std::int16_t first_flexible_version;
};

// Ascending by key.
std::span<const ApiInfo> all_apis();

// Null for an API that a broker does not serve to clients.
const ApiInfo* find_api(std::int16_t key);

namespace api {

)";

constexpr auto apis_tail = R"(
}  // namespace api

}  // namespace muster::protocol
)";

constexpr auto find_api = R"(std::span<const ApiInfo> all_apis() {
return apis;
}

const ApiInfo* find_api(std::int16_t key) {
const auto at = std::ranges::lower_bound(apis, key, {}, &ApiInfo::key);
return at != std::end(apis) && at->key == key ? &*at : nullptr;
}

)";

}  // namespace

HeaderAndSource emit_errors(const std::filesystem::path& path) {
  const Json errors = Json::parse(read_file(path));
  HeaderAndSource out;
  out.header = errors_head;
  std::string names = "std::string_view name(Error error) {\nswitch (error) {\n";
  for (const Json& error : errors) {
    const std::string upper_name = error.at("name");
    const std::string code = std::to_string(error.at("code").get<int>());
    out.header += lower(upper_name) + " = " + code + ",\n";
    names += "case Error::" + lower(upper_name) + ": return \"" + upper_name + "\";\n";
  }
  out.header = indented(out.header + errors_tail);
  out.source = indented(
      "// Generated from errors.json.\n#include <muster/protocol/errors.hpp>\n\n"
      "namespace muster::protocol {\n\n" +
      names + "}\nreturn {};\n}\n\n" + flag_function(errors, "retriable", "retriable") +
      flag_function(errors, "refreshes_metadata", "refreshesMetadata") +
      "}  // namespace muster::protocol\n");
  return out;
}

HeaderAndSource emit_apis(const std::filesystem::path& path, const std::vector<Message>& messages) {
  std::vector<const Message*> requests;
  for (const Message& message : messages) {
    if (message.type == "request" && !message.versions.empty()) requests.push_back(&message);
  }
  std::ranges::sort(requests, {}, [](const Message* request) { return request->api_key.value(); });
  HeaderAndSource out;
  out.header = apis_head;
  for (const Message* request : requests) {
    const std::string name = request->name.substr(0, request->name.size() - 7);
    out.header += "inline constexpr std::int16_t " + identifier(name) + " = " +
                  std::to_string(*request->api_key) + ";\n";
  }
  out.header = indented(out.header + apis_tail);
  auto apis = Json::parse(read_file(path)).at("apis").get<std::vector<Json>>();
  std::ranges::sort(apis, {}, [](const Json& api) { return api.at("apiKey").get<int>(); });
  std::string rows;
  for (const Json& api : apis) {
    const int key = api.at("apiKey");
    const auto request =
        std::ranges::find(requests, key, [](const Message* r) { return *r->api_key; });
    if (request == requests.end()) throw std::runtime_error("API without a request schema");
    const Versions flexible = (*request)->flexible;
    rows += "{" + std::to_string(key) + ", \"" + api.at("name").get<std::string>() + "\", " +
            std::to_string(api.at("minVersion").get<int>()) + ", " +
            std::to_string(api.at("maxVersion").get<int>()) + ", " +
            std::to_string(flexible.empty() ? never_flexible : flexible.first) + "},\n";
  }
  out.source = indented(
      "// Generated from apis.json and the request schemas.\n#include "
      "<muster/protocol/apis.hpp>\n\n"
      "#include <algorithm>\n#include <iterator>\n\nnamespace muster::protocol {\nnamespace {\n\n"
      "constexpr ApiInfo apis[] = {\n" +
      rows + "};\n\n}  // namespace\n\n" + find_api + "}  // namespace muster::protocol\n");
  return out;
}

}  // namespace muster::generator
