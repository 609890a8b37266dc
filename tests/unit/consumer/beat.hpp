// A heartbeat as a test writes it, and its answer as a test reads it. Tests only.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace muster::consumer {

// What is written in every line of a test is out of line: inlined, it is most of what compiles.

class Lines : public std::vector<std::string> {
 public:
  Lines();
  Lines(std::initializer_list<std::string_view> lines);
  Lines(std::vector<std::string> lines);
  Lines(const Lines&);
  Lines& operator=(const Lines&);
  ~Lines();
};

// Partitions as text: "foo:0,1 bar:2". Empty = none.
struct Beat {
  Beat();
  Beat(const Beat&);
  Beat& operator=(const Beat&);
  ~Beat();

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

  Beat with_instance(std::string_view id) const;
  Beat with_rack(std::string_view id) const;
  Beat with_timeout(std::int32_t ms) const;
  Beat with_topics(const Lines& names) const;
  Beat with_regex(std::string_view pattern) const;
  Beat with_assignor(std::string_view name) const;
  Beat with_version(std::int16_t number) const;
  Beat with_client(std::string_view id, std::string_view host) const;
  Beat in(std::string_view id) const;
  Beat owns(std::string_view partitions) const;
  Beat at(std::int32_t member_epoch) const;
  Beat by(std::string_view id) const;
};

// The first heartbeat of a member; all that Kafka wants of it is there.
Beat joins(std::string_view member, const Lines& topics);
Beat joins_regex(std::string_view member, std::string_view pattern);
// The one that says nothing new.
Beat beats(std::string_view member, std::int32_t epoch);
Beat leaves(std::string_view member);

struct Answer {
  Answer();
  Answer(const Answer&);
  Answer& operator=(const Answer&);
  ~Answer();

  std::int16_t error = 0;
  std::optional<std::string> message;
  std::optional<std::string> member;
  std::int32_t epoch = 0;
  std::int32_t interval_ms = 0;
  std::optional<std::string> assignment;  // nothing: unchanged

  friend bool operator==(const Answer& a, const Answer& b);
};
std::ostream& operator<<(std::ostream& out, const Answer& answer);

// What a successful heartbeat is answered with.
Answer ok(std::string_view member, std::int32_t epoch, std::optional<std::string_view> assignment);

}  // namespace muster::consumer
