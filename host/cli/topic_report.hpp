// What is known about topics, and how it is printed: for people or as JSON. Owner: host/cli. Pure.
#pragma once

#include <cstdint>
#include <expected>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace muster::host {

struct TopicRow {
  std::string name;
  std::string id;
  std::size_t partitions = 0;
  bool internal = false;
};

// A number, or the name of the error that came instead.
using Reading = std::expected<std::int64_t, std::string>;

struct PartitionRow {
  std::int32_t partition = 0;
  std::int32_t leader = -1;  // -1: none
  std::vector<std::int32_t> replicas;
  std::vector<std::int32_t> in_sync;
  Reading start = std::unexpected("");
  Reading end = std::unexpected("");
};

struct ConfigRow {
  std::string name;
  std::optional<std::string> value;  // none: a secret, or null
  bool set_on_topic = false;
};

struct TopicDescription {
  TopicRow topic;
  std::vector<PartitionRow> partitions;
  std::vector<ConfigRow> configs;
  std::string configs_unknown;  // why, if the host does not tell them
};

enum class Form { text, json };

void print(const std::vector<TopicRow>& topics, Form form, std::ostream& out);
// All configs in JSON; those set on the topic in text, or all with `all_configs`.
struct TopicForm {
  Form form = Form::text;
  bool all_configs = false;
};
void print(const TopicDescription& description, TopicForm form, std::ostream& out);

}  // namespace muster::host
