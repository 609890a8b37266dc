// Heartbeats and answers of tests.
#include "beat.hpp"

namespace muster::consumer {

Beat joins(std::string member, std::vector<std::string> topics) {
  Beat beat;
  beat.member = std::move(member);
  beat.rebalance_timeout_ms = 5000;
  beat.topics = std::move(topics);
  beat.owned = "";
  return beat;
}

Beat joins_regex(std::string member, std::string pattern) {
  Beat beat = joins(std::move(member), {});
  beat.topics.reset();
  beat.regex = std::move(pattern);
  return beat;
}

Beat beats(std::string member, std::int32_t epoch) {
  Beat beat;
  beat.member = std::move(member);
  beat.epoch = epoch;
  return beat;
}

Beat leaves(std::string member) { return beats(std::move(member), -1); }

std::ostream& operator<<(std::ostream& out, const Answer& answer) {
  if (answer.error != 0) {
    return out << "error " << answer.error << " '" << answer.message.value_or("(none)") << "'";
  }
  return out << answer.member.value_or("(none)") << " at " << answer.epoch << ", every "
             << answer.interval_ms << " ms, assignment "
             << (answer.assignment ? "'" + *answer.assignment + "'" : "unchanged");
}

Answer ok(std::string member, std::int32_t epoch, std::optional<std::string> assignment) {
  Answer answer;
  answer.member = std::move(member);
  answer.epoch = epoch;
  answer.interval_ms = 5000;
  answer.assignment = std::move(assignment);
  return answer;
}

}  // namespace muster::consumer
