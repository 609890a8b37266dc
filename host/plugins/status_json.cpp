// Registry::statuses_json: what /api/v1/plugins shows.
#include "plugins/registry.hpp"

#include <nlohmann/json.hpp>

namespace muster::host {

std::string Registry::statuses_json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const PluginStatus& status : statuses()) {
    nlohmann::ordered_json plugin;
    plugin["name"] = status.definition;
    plugin["id"] = status.id;
    plugin["version"] = status.version;
    plugin["license"] = status.license;
    plugin["state"] = to_string(status.state);
    if (!status.why.empty()) plugin["why"] = status.why;
    plugin["optional"] = status.optional;
    plugin["file"] = status.file.string();
    plugin["exports"] = status.exports;
    list.push_back(std::move(plugin));
  }
  return list.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace muster::host
