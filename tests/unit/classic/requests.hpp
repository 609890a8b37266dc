// The classic protocol's requests as a test writes them. Members go by aliases: the first id that
// client "a" got is "a1", the next "a2". Tests only.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace muster::classic {

// Name and metadata, in order of preference.
using Offers = std::vector<std::pair<std::string, std::string>>;

struct Join {
  Join();
  Join(const Join&);
  Join& operator=(const Join&);
  ~Join();

  std::string client = "a";
  std::string member;  // alias; empty: a new one
  std::string group = "g";
  std::optional<std::string> instance;
  std::int32_t session_timeout_ms = 10'000;
  std::int32_t rebalance_timeout_ms = 60'000;
  std::string type = "consumer";
  Offers offers = {{"range", "x"}};
  std::optional<std::string> reason;
  std::int16_t version = 9;
  std::string owner;  // the foreign owner of the group id

  Join as(std::string_view alias) const;
  Join with_instance(std::string_view id) const;
  Join offering(Offers protocols) const;
  Join of_type(std::string_view name) const;
  Join with_session(std::int32_t ms) const;
  Join with_rebalance(std::int32_t ms) const;
  Join at(std::int16_t number) const;
  Join in(std::string_view id) const;
  Join owned_by(std::string_view name) const;
};
// A new member of that client.
Join by(std::string_view client);
// A member that is known; its client is its alias without the number.
Join back(std::string_view alias);

using Shares = std::vector<std::pair<std::string, std::string>>;

struct Sync {
  Sync();
  Sync(const Sync&);
  Sync& operator=(const Sync&);
  ~Sync();

  std::string member;
  std::int32_t generation = 1;
  std::string group = "g";
  std::optional<std::string> instance;
  std::optional<std::string> type = "consumer";
  std::optional<std::string> protocol = "range";
  Shares shares;
  std::int16_t version = 5;

  Sync with_instance(std::string_view id) const;
  Sync at(std::int16_t number) const;
};
Sync syncs(std::string_view member, std::int32_t generation, Shares shares = {});

struct Beat {
  std::string member;
  std::int32_t generation = 1;
  std::optional<std::string> instance = std::nullopt;
  std::string group = "g";
  std::int16_t version = 4;
};

struct Leaving {
  std::string member;
  std::optional<std::string> instance = std::nullopt;
};

}  // namespace muster::classic
