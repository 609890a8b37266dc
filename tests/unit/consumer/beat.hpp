// A heartbeat as a test writes it, and its answer as a test reads it. Tests only.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

namespace muster::consumer {

// Partitions as text: "foo:0,1 bar:2". Empty = none.
struct Beat {
  std::string member = "m1";
  std::int32_t epoch = 0;
  std::string group = "g";
  std::optional<std::string> instance;
  std::optional<std::string> rack;
  std::int32_t rebalance_timeout_ms = -1;
  std::optional<std::vector<std::string>> topics;
  std::optional<std::string> regex;
  std::optional<std::string> assignor;
  std::optional<std::string> owned;
  std::int16_t version = 1;
  std::string client_id = "client";
  std::string client_host = "/127.0.0.1";
  std::string principal = "User:test";
  std::string owner;  // the foreign owner of the group id

  Beat with_instance(std::string id) const { return with(&Beat::instance, std::move(id)); }
  Beat with_rack(std::string id) const { return with(&Beat::rack, std::move(id)); }
  Beat with_timeout(std::int32_t ms) const { return with(&Beat::rebalance_timeout_ms, ms); }
  Beat with_topics(std::vector<std::string> names) const {
    return with(&Beat::topics, std::move(names));
  }
  Beat with_regex(std::string pattern) const { return with(&Beat::regex, std::move(pattern)); }
  Beat with_assignor(std::string name) const { return with(&Beat::assignor, std::move(name)); }
  Beat with_version(std::int16_t number) const { return with(&Beat::version, number); }
  Beat with_client(std::string id, std::string host) const {
    return with(&Beat::client_id, std::move(id)).with(&Beat::client_host, std::move(host));
  }
  Beat in(std::string id) const { return with(&Beat::group, std::move(id)); }
  Beat owns(std::string partitions) const { return with(&Beat::owned, std::move(partitions)); }
  Beat at(std::int32_t member_epoch) const { return with(&Beat::epoch, member_epoch); }
  Beat by(std::string id) const { return with(&Beat::member, std::move(id)); }

  template <class Value, class Given>
  Beat with(Value Beat::* field, Given value) const {
    Beat copy = *this;
    copy.*field = std::move(value);
    return copy;
  }
};

// The first heartbeat of a member; all that Kafka wants of it is there.
Beat joins(std::string member, std::vector<std::string> topics);
Beat joins_regex(std::string member, std::string pattern);
// The one that says nothing new.
Beat beats(std::string member, std::int32_t epoch);
Beat leaves(std::string member);

struct Answer {
  std::int16_t error = 0;
  std::optional<std::string> message;
  std::optional<std::string> member;
  std::int32_t epoch = 0;
  std::int32_t interval_ms = 0;
  std::optional<std::string> assignment;  // nothing: unchanged

  friend bool operator==(const Answer&, const Answer&) = default;
};
std::ostream& operator<<(std::ostream& out, const Answer& answer);

// What a successful heartbeat is answered with.
Answer ok(std::string member, std::int32_t epoch, std::optional<std::string> assignment);

}  // namespace muster::consumer
