// What is known about groups of any type, and how it is printed: for people or as JSON. Owner:
// host/cli. Pure.
#pragma once

#include "cli/topic_report.hpp"

#include <map>

namespace muster::host {

struct GroupRow {
  std::string id;
  std::string type;           // "consumer", ...; empty if the host is too old to say
  std::string protocol_type;  // of the classic protocol
  std::string state;
};

using PartitionsByTopic = std::map<std::string, std::vector<std::int32_t>>;

struct MemberRow {
  std::string id;
  std::optional<std::string> instance_id;
  std::optional<std::string> rack;
  std::string client_id;
  std::string client_host;
  std::optional<std::int32_t> epoch;
  std::vector<std::string> topics;   // it subscribes to
  std::optional<std::string> regex;  // the same
  PartitionsByTopic assigned;
  std::optional<PartitionsByTopic> target;
};

struct OffsetRow {
  std::string topic;
  std::int32_t partition = 0;
  std::optional<std::int64_t> committed;
  std::string metadata;
  Reading end = std::unexpected("");
  std::string member;  // who has it; empty: nobody

  [[nodiscard]] std::optional<std::int64_t> lag() const;
};

struct GroupDescription {
  GroupRow group;
  std::optional<std::int32_t> epoch;
  std::optional<std::int32_t> assignment_epoch;
  std::string assignor;
  std::vector<MemberRow> members;
  std::string members_unknown;  // why, if they cannot be told
  std::vector<OffsetRow> offsets;
  std::string offsets_unknown;  // the same
};

// "orders 0-3,5; clicks 1"
[[nodiscard]] std::string text_of(const PartitionsByTopic& partitions);

void print(const std::vector<GroupRow>& groups, Form form, std::ostream& out);
void print(const GroupDescription& description, Form form, std::ostream& out);
void print_offsets(const GroupDescription& description, Form form, std::ostream& out);

}  // namespace muster::host
