#include "cli/group_report.hpp"

#include "cli/text_table.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <ostream>

namespace muster::host {
namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json json_of(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const GroupRow& group) {
  return {{"id", group.id},
          {"type", group.type},
          {"protocol_type", group.protocol_type},
          {"state", group.state}};
}

Json json_of(const MemberRow& member) {
  return {{"id", member.id},
          {"instance_id", json_of(member.instance_id)},
          {"rack", json_of(member.rack)},
          {"client_id", member.client_id},
          {"client_host", member.client_host},
          {"epoch", json_of(member.epoch)},
          {"topics", member.topics},
          {"regex", json_of(member.regex)},
          {"assigned", member.assigned},
          {"target", json_of(member.target)}};
}

Json json_of(const OffsetRow& row) {
  Json json{{"topic", row.topic},
            {"partition", row.partition},
            {"committed", json_of(row.committed)},
            {"metadata", row.metadata},
            {"end", row.end ? Json(*row.end) : Json(nullptr)},
            {"lag", json_of(row.lag())},
            {"member", row.member.empty() ? Json(nullptr) : Json(row.member)}};
  if (!row.end && !row.end.error().empty()) json["error"] = row.end.error();
  return json;
}

// NULL and the reason, where it is not known.
template <class Row>
void add_rows(Json& json, const std::string& name, const std::vector<Row>& rows,
              const std::string& unknown) {
  json[name] = unknown.empty() ? Json::array() : Json(nullptr);
  if (!unknown.empty()) json[name + "_unknown"] = unknown;
  if (!unknown.empty()) return;
  for (const Row& row : rows) json[name].push_back(json_of(row));
}

void print_json(const Json& json, std::ostream& out) {
  out << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

template <class Number>
std::string number_text(const std::optional<Number>& number) {
  return number ? std::to_string(*number) : "-";
}

std::string or_dash(const std::string& text) { return text.empty() ? "-" : text; }

// "0-3,5" of ascending numbers.
std::string ranges(const std::vector<std::int32_t>& numbers) {
  std::string text;
  for (std::size_t first = 0; first < numbers.size();) {
    std::size_t last = first;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += (text.empty() ? "" : ",") + std::to_string(numbers[first]);
    if (last != first) text += "-" + std::to_string(numbers[last]);
    first = last + 1;
  }
  return text;
}

std::string subscription(const MemberRow& member) {
  std::string text;
  for (const std::string& topic : member.topics) text += (text.empty() ? "" : ",") + topic;
  if (member.regex && !member.regex->empty()) {
    text += (text.empty() ? "/" : ",/") + *member.regex + "/";
  }
  return or_dash(text);
}

void print_members(const GroupDescription& description, std::ostream& out) {
  if (!description.members_unknown.empty()) {
    out << "members   not told: " << printable(description.members_unknown) << "\n";
    return;
  }
  out << "members   " << description.members.size() << "\n";
  if (description.members.empty()) return;
  const bool moving = std::ranges::any_of(description.members, [](const MemberRow& member) {
    return member.target && *member.target != member.assigned;
  });
  std::vector<Column> columns{{"MEMBER"},     {"CLIENT"},  {"HOST"}, {"EPOCH", Align::right},
                              {"SUBSCRIBED"}, {"ASSIGNED"}};
  if (moving) columns.push_back({"TARGET"});
  TextTable table(std::move(columns));
  for (const MemberRow& member : description.members) {
    std::vector<std::string> cells{
        member.instance_id ? member.id + " (" + *member.instance_id + ")" : member.id,
        or_dash(member.client_id),
        or_dash(member.client_host),
        number_text(member.epoch),
        subscription(member),
        text_of(member.assigned)};
    if (moving) cells.push_back(member.target ? text_of(*member.target) : "-");
    table.add(std::move(cells));
  }
  out << "\n";
  table.print(out);
}

void print_offset_table(const GroupDescription& description, std::ostream& out) {
  if (!description.offsets_unknown.empty()) {
    out << "offsets   not told: " << printable(description.offsets_unknown) << "\n";
    return;
  }
  if (description.offsets.empty()) {
    out << "offsets   none is committed\n";
    return;
  }
  TextTable table({{"TOPIC"},
                   {"PARTITION", Align::right},
                   {"COMMITTED", Align::right},
                   {"END", Align::right},
                   {"LAG", Align::right},
                   {"MEMBER"}});
  for (const OffsetRow& row : description.offsets) {
    table.add({row.topic, std::to_string(row.partition), number_text(row.committed),
               row.end ? std::to_string(*row.end) : or_dash(row.end.error()),
               number_text(row.lag()), or_dash(row.member)});
  }
  table.print(out);
}

}  // namespace

std::optional<std::int64_t> OffsetRow::lag() const {
  if (!committed || !end) return std::nullopt;
  return std::max<std::int64_t>(*end - *committed, 0);
}

std::string text_of(const PartitionsByTopic& partitions) {
  std::string text;
  for (const auto& [topic, numbers] : partitions) {
    text += (text.empty() ? "" : "; ") + topic + " " + ranges(numbers);
  }
  return or_dash(text);
}

void print(const std::vector<GroupRow>& groups, Form form, std::ostream& out) {
  if (form == Form::json) {
    Json json = Json::array();
    for (const GroupRow& group : groups) json.push_back(json_of(group));
    print_json(json, out);
    return;
  }
  if (groups.empty()) {
    out << "no groups\n";
    return;
  }
  TextTable table({{"GROUP"}, {"TYPE"}, {"STATE"}, {"PROTOCOL"}});
  for (const GroupRow& group : groups) {
    table.add({group.id, or_dash(group.type), or_dash(group.state), or_dash(group.protocol_type)});
  }
  table.print(out);
}

void print(const GroupDescription& description, Form form, std::ostream& out) {
  const GroupRow& group = description.group;
  if (form == Form::json) {
    Json json = json_of(group);
    json["epoch"] = json_of(description.epoch);
    json["assignment_epoch"] = json_of(description.assignment_epoch);
    json["assignor"] = description.assignor.empty() ? Json(nullptr) : Json(description.assignor);
    add_rows(json, "members", description.members, description.members_unknown);
    add_rows(json, "offsets", description.offsets, description.offsets_unknown);
    print_json(json, out);
    return;
  }
  out << "group     " << printable(group.id) << "\ntype      " << or_dash(group.type)
      << "\nstate     " << or_dash(group.state) << "\n";
  if (description.epoch) out << "epoch     " << *description.epoch << "\n";
  if (description.assignment_epoch && description.assignment_epoch != description.epoch) {
    out << "assigned  up to epoch " << *description.assignment_epoch << "\n";
  }
  if (!description.assignor.empty()) {
    out << "assignor  " << printable(description.assignor) << "\n";
  }
  print_members(description, out);
  out << "\n";
  print_offset_table(description, out);
}

void print_offsets(const GroupDescription& description, Form form, std::ostream& out) {
  if (form == Form::text) {
    print_offset_table(description, out);
    return;
  }
  Json json = json_of(description.group);
  add_rows(json, "offsets", description.offsets, description.offsets_unknown);
  print_json(json, out);
}

}  // namespace muster::host
