#include "cli/group_commands.hpp"

#include "cli/group_reading.hpp"
#include "cli/text_table.hpp"

#include <muster/protocol/messages/delete_groups_request.hpp>
#include <muster/protocol/messages/delete_groups_response.hpp>

#include <nlohmann/json.hpp>

#include <ostream>

namespace muster::host {
namespace {

using protocol::DeleteGroupsResponse;

Form form_of(const RemoteScope& scope) { return scope.json ? Form::json : Form::text; }

Outcome<GroupDescription> describe(const RemoteScope& scope, const std::string& id) {
  auto client = connect(scope);
  if (!client) return std::unexpected(client.error());
  auto group = find_group(*client, id);
  if (!group) return std::unexpected(group.error());
  GroupDescription description;
  description.group = std::move(*group);
  read_members(*client, description);
  read_offsets(*client, description);
  return description;
}

// Before there was any group nobody coordinates them, so it is looked for first.
Outcome<void> remove(Client& client, const std::string& id) {
  if (const auto group = find_group(client, id); !group) return std::unexpected(group.error());
  protocol::DeleteGroupsRequest request;
  request.groups_names.emplace_back(id);
  const auto reply =
      client.ask_loaded<DeleteGroupsResponse>(request, [](const DeleteGroupsResponse& message) {
        return message.results.empty() ? std::int16_t{0} : message.results.front().error_code;
      });
  if (!reply) return std::unexpected(reply.error());
  const std::string what = "cannot delete group '" + id + "'";
  if (reply->message.results.empty()) {
    return std::unexpected(Failure{what + ": no answer about it"});
  }
  const auto& result = reply->message.results.front();
  if (result.error_code == 0) return {};
  return std::unexpected(kafka_failure(what, result.error_code, result.error_message));
}

}  // namespace

ExitCode group_list_command(const RemoteScope& scope, const GroupFilter& filter,
                            const Streams& streams) {
  auto client = connect(scope);
  if (!client) return complain(client.error(), streams);
  const auto groups = read_groups(*client, filter);
  if (!groups) return complain(groups.error(), streams);
  print(*groups, form_of(scope), streams.out);
  return ExitCode::ok;
}

ExitCode group_describe_command(const RemoteScope& scope, const std::string& id,
                                const Streams& streams) {
  const auto description = describe(scope, id);
  if (!description) return complain(description.error(), streams);
  print(*description, form_of(scope), streams.out);
  return ExitCode::ok;
}

ExitCode group_offsets_command(const RemoteScope& scope, const std::string& id,
                               const Streams& streams) {
  const auto description = describe(scope, id);
  if (!description) return complain(description.error(), streams);
  print_offsets(*description, form_of(scope), streams.out);
  return ExitCode::ok;
}

ExitCode group_delete_command(const RemoteScope& scope, const std::string& id,
                              const Streams& streams) {
  auto client = connect(scope);
  if (!client) return complain(client.error(), streams);
  const auto removed = remove(*client, id);
  if (!removed) return complain(removed.error(), streams);
  if (scope.json) {
    const nlohmann::ordered_json json{{"deleted", id}};
    streams.out << json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
  } else {
    streams.out << "deleted group '" << printable(id) << "'\n";
  }
  return ExitCode::ok;
}

}  // namespace muster::host
