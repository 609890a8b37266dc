#include "cli/topic_report.hpp"

#include "cli/text_table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace muster::host {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const TopicRow& topic) {
  return {{"name", topic.name},
          {"id", topic.id},
          {"partitions", topic.partitions},
          {"internal", topic.internal}};
}

Json json_of(const Reading& reading) { return reading ? Json(*reading) : Json(nullptr); }

Json json_of(const PartitionRow& row) {
  Json json{{"partition", row.partition}, {"leader", row.leader},        {"replicas", row.replicas},
            {"in_sync", row.in_sync},     {"start", json_of(row.start)}, {"end", json_of(row.end)}};
  for (const Reading* reading : {&row.start, &row.end}) {
    if (!*reading) json["error"] = reading->error();
  }
  return json;
}

Json json_of(const TopicDescription& description) {
  Json json = json_of(description.topic);
  json["partitions"] = Json::array();
  for (const PartitionRow& row : description.partitions) {
    json["partitions"].push_back(json_of(row));
  }
  if (!description.configs_unknown.empty()) {
    json["configs"] = nullptr;
    json["configs_unknown"] = description.configs_unknown;
    return json;
  }
  json["configs"] = Json::array();
  for (const ConfigRow& row : description.configs) {
    json["configs"].push_back({{"name", row.name},
                               {"value", row.value ? Json(*row.value) : Json(nullptr)},
                               {"set_on_topic", row.set_on_topic}});
  }
  return json;
}

std::string text_of(const Reading& reading) {
  if (reading) return std::to_string(*reading);
  return reading.error().empty() ? "-" : reading.error();
}

std::string text_of(const std::vector<std::int32_t>& nodes) {
  std::string text;
  for (const std::int32_t node : nodes) text += (text.empty() ? "" : ",") + std::to_string(node);
  return text.empty() ? "-" : text;
}

void print_configs(const TopicDescription& description, bool all, std::ostream& out) {
  if (!description.configs_unknown.empty()) {
    out << "\nconfigs     not told: " << printable(description.configs_unknown) << "\n";
    return;
  }
  TextTable table({{"CONFIG"}, {"VALUE"}, {"SET"}});
  std::size_t count = 0;
  for (const ConfigRow& row : description.configs) {
    if (!all && !row.set_on_topic) continue;
    table.add({row.name, row.value.value_or("-"), row.set_on_topic ? "on the topic" : "-"});
    ++count;
  }
  if (count == 0) {
    out << "\nconfigs     none is set on the topic\n";
    return;
  }
  out << "\n";
  table.print(out);
}

}  // namespace

void print(const std::vector<TopicRow>& topics, Form form, std::ostream& out) {
  if (form == Form::json) {
    Json json = Json::array();
    for (const TopicRow& topic : topics) json.push_back(json_of(topic));
    out << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
    return;
  }
  if (topics.empty()) {
    out << "no topics\n";
    return;
  }
  TextTable table({{"TOPIC"}, {"PARTITIONS", Align::right}, {"INTERNAL"}, {"ID"}});
  for (const TopicRow& topic : topics) {
    table.add(
        {topic.name, std::to_string(topic.partitions), topic.internal ? "yes" : "no", topic.id});
  }
  table.print(out);
}

void print(const TopicDescription& description, TopicForm form, std::ostream& out) {
  if (form.form == Form::json) {
    out << json_of(description).dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
    return;
  }
  const TopicRow& topic = description.topic;
  out << "topic       " << printable(topic.name) << (topic.internal ? " (internal)" : "")
      << "\nid          " << topic.id << "\npartitions  " << topic.partitions << "\n\n";
  TextTable table({{"PARTITION", Align::right},
                   {"LEADER", Align::right},
                   {"REPLICAS"},
                   {"IN SYNC"},
                   {"START", Align::right},
                   {"END", Align::right}});
  for (const PartitionRow& row : description.partitions) {
    table.add({std::to_string(row.partition), row.leader < 0 ? "-" : std::to_string(row.leader),
               text_of(row.replicas), text_of(row.in_sync), text_of(row.start), text_of(row.end)});
  }
  table.print(out);
  print_configs(description, form.all_configs, out);
}

}  // namespace muster::host
