// Why a command could not do what it was asked: one sentence and what the process ends with.
// Owner: host/cli. Pure.
#pragma once

#include "cli/cli.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace muster::host {

struct Failure {
  std::string what;
  ExitCode code = ExitCode::failed;
};

template <class Value>
using Outcome = std::expected<Value, Failure>;

// "UNKNOWN_MEMBER_ID"; "error 999" for a code that Kafka does not have.
[[nodiscard]] std::string error_name(std::int16_t code);

// "WHAT: NAME: MESSAGE", with the host's message, or with ours where it sent none.
[[nodiscard]] Failure kafka_failure(const std::string& what, std::int16_t code,
                                    std::optional<std::string_view> message = std::nullopt);

}  // namespace muster::host
