// Reading the options, and the checks between them that Kafka makes at start. Any thread.
#include "settings.hpp"

#include <algorithm>
#include <cctype>

namespace muster::consumer {
namespace {

bool same_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(
      a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Kafka's class names stand for the assignors that Muster ships under Kafka's short names.
std::string_view short_name(std::string_view assignor) {
  if (assignor == "org.apache.kafka.coordinator.group.assignor.UniformAssignor") return "uniform";
  if (assignor == "org.apache.kafka.coordinator.group.assignor.RangeAssignor") return "range";
  return assignor;
}

std::vector<std::string> read_assignors(const sdk::Options& options) {
  std::vector<std::string> out;
  for (const std::string_view name : sdk::ListOption(options, "group.consumer.assignors")()) {
    out.emplace_back(short_name(name));
  }
  if (out.empty()) {
    throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "group.consumer.assignors must name an assignor");
  }
  return out;
}

bool is_in_protocols(const sdk::Options& options) {
  const sdk::ListOption protocols(options, "group.coordinator.rebalance.protocols");
  return std::ranges::any_of(protocols(), [](std::string_view protocol) {
    return same_ignoring_case(protocol, "consumer");
  });
}

bool policy_is(const sdk::Options& options, std::string_view one, std::string_view other) {
  const std::string_view policy = sdk::StringOption(options, "group.consumer.migration.policy")();
  return same_ignoring_case(policy, one) || same_ignoring_case(policy, other);
}

// group.consumer.<what> lies between its min and its max.
void check_bounds(const sdk::Options& options, std::string_view what) {
  const std::string name = sdk::text("group.consumer.", what);
  const std::string min_name = sdk::text("group.consumer.min.", what);
  const std::string max_name = sdk::text("group.consumer.max.", what);
  const std::int64_t value = sdk::Int64Option(options, name)();
  const std::int64_t min = sdk::Int64Option(options, min_name)();
  const std::int64_t max = sdk::Int64Option(options, max_name)();
  const auto require = [](bool holds, const std::string& a, const char* how, const std::string& b) {
    if (!holds) throw sdk::Failure(MUSTER_INVALID_ARGUMENT, a + " must be " + how + " " + b);
  };
  require(max >= min, max_name, "greater than or equal to", min_name);
  require(value >= min, name, "greater than or equal to", min_name);
  require(value <= max, name, "less than or equal to", max_name);
}

}  // namespace

Settings::Settings(const sdk::Options& options)
    : in_protocols_(is_in_protocols(options)),
      feature_level_(options, "group.version"),
      max_size_(sdk::Int64Option(options, "group.consumer.max.size")()),
      upgrade_(policy_is(options, "bidirectional", "upgrade")),
      downgrade_(policy_is(options, "bidirectional", "downgrade")),
      classic_max_size_(sdk::Int64Option(options, "group.max.size")()),
      classic_min_session_ms_(sdk::Int64Option(options, "group.min.session.timeout.ms")()),
      classic_max_session_ms_(sdk::Int64Option(options, "group.max.session.timeout.ms")()),
      regex_refresh_ms_(sdk::Int64Option(options, "group.consumer.regex.refresh.interval.ms")()),
      assignor_wait_ms_(
          static_cast<std::uint32_t>(sdk::Int64Option(options, "assignor.wait.ms")())),
      assignors_(read_assignors(options)),
      session_timeout_(options, "consumer.session.timeout.ms"),
      heartbeat_interval_(options, "consumer.heartbeat.interval.ms"),
      assignment_interval_(options, "consumer.assignment.interval.ms") {
  check_bounds(options, "session.timeout.ms");
  check_bounds(options, "heartbeat.interval.ms");
  check_bounds(options, "assignment.interval.ms");
}

std::string_view Settings::assignor_name(std::size_t index) const {
  const std::string_view configured = assignors_[index];
  const std::size_t slash = configured.rfind('/');
  return slash == std::string_view::npos ? configured : configured.substr(slash + 1);
}

std::optional<std::size_t> Settings::find_assignor(std::string_view name) const {
  for (std::size_t i = 0; i < assignors_.size(); ++i) {
    if (name == assignors_[i] || name == assignor_name(i)) return i;
  }
  return std::nullopt;
}

}  // namespace muster::consumer
