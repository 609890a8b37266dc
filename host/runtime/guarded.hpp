// The way into a plugin's slot: an exception that gets out of it is a failure of that call. [any]
//
// Plugins of the C++ layer stop exceptions themselves; this is for those that were built without it
// but share our runtime.
#pragma once

#include <exception>

#include "runtime/bytes.hpp"

namespace muster::host {

// Runs a call that returns a muster_code; `error` hears what was thrown.
template <class Call>
muster_code guarded(const muster_error_sink* error, const Call& call) {
  const auto thrown = [error](const char* what) {
    constexpr std::string_view crossed = "an exception crossed the border";
    const std::string text =
        what == nullptr ? std::string(crossed) : std::string(crossed) + ": " + what;
    if (error != nullptr) error->error(error->self, to_abi(std::string_view(text)));
    return muster_code{MUSTER_INTERNAL};
  };
  try {
    return call();
  } catch (const std::exception& exception) {
    return thrown(exception.what());
  } catch (...) {
    return thrown(nullptr);
  }
}

}  // namespace muster::host
