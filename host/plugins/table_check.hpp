// What a plugin's descriptor and tables must hold before any of them is used. Owner: host/plugins.
// Pure; every error is one sentence without the file's name.
#pragma once

#include <muster/abi/plugin.h>

#include <expected>
#include <string>

namespace muster::host {

// The interfaces that this host knows.
[[nodiscard]] bool is_known_interface(const char* interface_id);

// Versions, ids, exports, options, features, and each export's table.
[[nodiscard]] std::expected<void, std::string> check_descriptor(const muster_plugin& plugin);

// One export's table: long enough for the slots that must be there, none of them NULL, claims that
// make sense.
[[nodiscard]] std::expected<void, std::string> check_table(const muster_export& exported);

}  // namespace muster::host
