// Where each request goes, and how the parts' answers become one. [pure]
#include <muster/protocol/messages/list_groups_response.hpp>

#include "answers.hpp"
#include "offsets_protocol.hpp"
#include "shard_view.hpp"

namespace muster::offsets {

namespace {

// The group id is the first field; the shard decodes the rest, once.
template <class Message>
void route_by_first_field(const sdk::Request& request, sdk::RouteSink& out) {
  protocol::Reader in{request.body()};
  const std::string_view group =
      in.read_string(request.version() >= Message::first_flexible_version);
  if (!in.ok()) throw sdk::Failure(MUSTER_INVALID_ARGUMENT, std::string{in.error()});
  out.key(group);
}

void route_fetch(const sdk::Request& request, sdk::RouteSink& out) {
  using Message = protocol::OffsetFetchRequest;
  constexpr std::int16_t first_version_with_groups = 8;
  if (request.version() < first_version_with_groups) {
    return route_by_first_field<Message>(request, out);
  }
  auto message = decode_body<Message>(request);
  if (message.groups.size() == 1) return out.key(message.groups.front().group_id);
  Message part;
  part.require_stable = message.require_stable;
  for (FetchGroup& group : message.groups) {
    const std::string_view id = group.group_id;
    part.groups.clear();
    part.groups.push_back(std::move(group));
    out.part(sdk::Scope::group, id, encode_body(part, request.version()));
  }
}

// One part an id. `only(id)` makes the message of one.
template <class Only>
void route_ids(const std::vector<std::string_view>& ids, const sdk::Request& request,
               sdk::RouteSink& out, Only&& only) {
  if (ids.size() == 1) return out.key(ids.front());
  for (const std::string_view id : ids) {
    out.part(sdk::Scope::group, id, encode_body(only(id), request.version()));
  }
}

template <class Response, auto Entries>
void join_entries(const sdk::Request& request, sdk::Parts parts, sdk::BytesSink& out) {
  Response whole;
  for (const sdk::Bytes part : parts) {
    auto answer = protocol::decode<Response>(part, request.version());
    if (!answer) throw sdk::Failure(MUSTER_INTERNAL, "a part's answer cannot be read");
    auto& more = (*answer).*Entries;
    auto& all = whole.*Entries;
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
  }
  out.write(encode_body(whole, request.version()));
}

// A shard that is not here lists nothing; any other error is the answer, as in Kafka.
void join_lists(const sdk::Request& request, sdk::Parts parts, sdk::BytesSink& out) {
  using Response = protocol::ListGroupsResponse;
  Response whole;
  for (const sdk::Bytes part : parts) {
    const auto answer = protocol::decode<Response>(part, request.version());
    if (!answer) throw sdk::Failure(MUSTER_INTERNAL, "a part's answer cannot be read");
    if (answer->error_code == code(protocol::Error::not_coordinator)) continue;
    if (answer->error_code != 0) {
      whole.groups.clear();
      whole.error_code = answer->error_code;
      break;
    }
    whole.groups.insert(whole.groups.end(), answer->groups.begin(), answer->groups.end());
  }
  out.write(encode_body(whole, request.version()));
}

}  // namespace

void OffsetsProtocol::route(const sdk::Request& request, sdk::RouteSink& out) const {
  switch (request.api_key()) {
    case protocol::OffsetCommitRequest::api_key:
      return route_by_first_field<protocol::OffsetCommitRequest>(request, out);
    case protocol::OffsetDeleteRequest::api_key:
      return route_by_first_field<protocol::OffsetDeleteRequest>(request, out);
    case protocol::OffsetFetchRequest::api_key: return route_fetch(request, out);
    case protocol::ListGroupsRequest::api_key:
      decode_body<protocol::ListGroupsRequest>(request);
      return out.every_shard(request.body());
    case protocol::DescribeGroupsRequest::api_key: {
      const auto message = decode_body<protocol::DescribeGroupsRequest>(request);
      return route_ids(message.groups, request, out, [&](std::string_view id) {
        return protocol::DescribeGroupsRequest{{id}, message.include_authorized_operations};
      });
    }
    case protocol::DeleteGroupsRequest::api_key: {
      const auto message = decode_body<protocol::DeleteGroupsRequest>(request);
      return route_ids(distinct(message.groups_names), request, out,
                       [](std::string_view id) { return protocol::DeleteGroupsRequest{{id}}; });
    }
    default: throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "an API that was not claimed");
  }
}

void OffsetsProtocol::join(const sdk::Request& request, sdk::Parts parts,
                           sdk::BytesSink& out) const {
  using namespace protocol;
  switch (request.api_key()) {
    case OffsetFetchRequest::api_key:
      return join_entries<OffsetFetchResponse, &OffsetFetchResponse::groups>(request, parts, out);
    case DescribeGroupsRequest::api_key:
      return join_entries<DescribeGroupsResponse, &DescribeGroupsResponse::groups>(request, parts,
                                                                                   out);
    case DeleteGroupsRequest::api_key:
      return join_entries<DeleteGroupsResponse, &DeleteGroupsResponse::results>(request, parts,
                                                                                out);
    case ListGroupsRequest::api_key: return join_lists(request, parts, out);
    default: throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "an API that is never split");
  }
}

}  // namespace muster::offsets
