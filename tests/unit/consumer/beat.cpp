// Heartbeats and answers of tests.
#include "beat.hpp"

namespace muster::consumer {

namespace {

template <class Value, class Given>
Beat with(const Beat& beat, Value Beat::* field, const Given& value) {
  Beat copy = beat;
  copy.*field = value;
  return copy;
}

}  // namespace

Lines::Lines() = default;
Lines::Lines(std::initializer_list<std::string_view> lines) : vector(lines.begin(), lines.end()) {}
Lines::Lines(std::vector<std::string> lines) : vector(std::move(lines)) {}
Lines::Lines(const Lines&) = default;
Lines& Lines::operator=(const Lines&) = default;
Lines::~Lines() = default;

Beat::Beat() = default;
Beat::Beat(const Beat&) = default;
Beat& Beat::operator=(const Beat&) = default;
Beat::~Beat() = default;

Beat Beat::with_instance(std::string_view id) const { return with(*this, &Beat::instance, id); }
Beat Beat::with_rack(std::string_view id) const { return with(*this, &Beat::rack, id); }
Beat Beat::with_timeout(std::int32_t ms) const {
  return with(*this, &Beat::rebalance_timeout_ms, ms);
}
Beat Beat::with_topics(const Lines& names) const { return with(*this, &Beat::topics, names); }
Beat Beat::with_regex(std::string_view pattern) const { return with(*this, &Beat::regex, pattern); }
Beat Beat::with_assignor(std::string_view name) const { return with(*this, &Beat::assignor, name); }
Beat Beat::with_version(std::int16_t number) const { return with(*this, &Beat::version, number); }
Beat Beat::with_client(std::string_view id, std::string_view host) const {
  return with(with(*this, &Beat::client_id, id), &Beat::client_host, host);
}
Beat Beat::in(std::string_view id) const { return with(*this, &Beat::group, id); }
Beat Beat::owns(std::string_view partitions) const { return with(*this, &Beat::owned, partitions); }
Beat Beat::at(std::int32_t member_epoch) const { return with(*this, &Beat::epoch, member_epoch); }
Beat Beat::by(std::string_view id) const { return with(*this, &Beat::member, id); }

Beat joins(std::string_view member, const Lines& topics) {
  Beat beat;
  beat.member = member;
  beat.rebalance_timeout_ms = 5000;
  beat.topics = topics;
  beat.owned = "";
  return beat;
}

Beat joins_regex(std::string_view member, std::string_view pattern) {
  Beat beat = joins(member, {}).with_regex(pattern);
  beat.topics.reset();
  return beat;
}

Beat beats(std::string_view member, std::int32_t epoch) {
  Beat beat;
  beat.member = member;
  beat.epoch = epoch;
  return beat;
}

Beat leaves(std::string_view member) { return beats(member, -1); }

Answer::Answer() = default;
Answer::Answer(const Answer&) = default;
Answer& Answer::operator=(const Answer&) = default;
Answer::~Answer() = default;

bool operator==(const Answer& a, const Answer& b) {
  return a.error == b.error && a.message == b.message && a.member == b.member &&
         a.epoch == b.epoch && a.interval_ms == b.interval_ms && a.assignment == b.assignment;
}

std::ostream& operator<<(std::ostream& out, const Answer& answer) {
  if (answer.error != 0) {
    return out << "error " << answer.error << " '" << answer.message.value_or("(none)") << "'";
  }
  return out << answer.member.value_or("(none)") << " at " << answer.epoch << ", every "
             << answer.interval_ms << " ms, assignment "
             << (answer.assignment ? "'" + *answer.assignment + "'" : "unchanged");
}

Answer ok(std::string_view member, std::int32_t epoch, std::optional<std::string_view> assignment) {
  Answer answer;
  answer.member = member;
  answer.epoch = epoch;
  answer.interval_ms = 5000;
  answer.assignment = assignment;
  return answer;
}

}  // namespace muster::consumer
