// JSON strings by nlohmann-json.
#include "observe/json_text.hpp"

#include <nlohmann/json.hpp>

namespace muster::host {

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace muster::host
