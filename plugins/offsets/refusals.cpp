// The "no" of each API, in the place that its version has for it. [pure]
#include <muster/protocol/messages/list_groups_response.hpp>
#include <muster/protocol/messages/offset_delete_response.hpp>

#include "answers.hpp"
#include "offsets_protocol.hpp"
#include "shard_view.hpp"

namespace muster::offsets {

namespace {

using protocol::Error;

// Consumers before 3.9 know neither of the two in an OffsetFetch answer and give up; on this one
// they look for the coordinator again. Kafka does the same with a write that failed.
std::int16_t for_fetch(std::int16_t error) {
  const bool unknown_to_old_consumers =
      error == code(Error::coordinator_not_available) || error == code(Error::request_timed_out);
  return unknown_to_old_consumers ? code(Error::not_coordinator) : error;
}

void refuse_fetch(const sdk::Request& request, std::int16_t error, sdk::BytesSink& out) {
  auto message = decode_body<protocol::OffsetFetchRequest>(request);
  std::vector<FetchedGroup> answers;
  const std::vector<FetchGroup> groups = groups_of(message, request.version());
  for (const FetchGroup& group : groups) {
    answers.push_back(fetch_error(group, for_fetch(error), request.version()));
  }
  out.write(encode_body(fetched(std::move(answers), request.version()), request.version()));
}

void refuse_describe(const sdk::Request& request, std::int16_t error, sdk::BytesSink& out) {
  const auto message = decode_body<protocol::DescribeGroupsRequest>(request);
  protocol::DescribeGroupsResponse answer;
  for (const std::string_view id : message.groups) {
    answer.groups.push_back(describe_error(id, error));
  }
  out.write(encode_body(answer, request.version()));
}

void refuse_delete(const sdk::Request& request, std::int16_t error, sdk::BytesSink& out) {
  const auto message = decode_body<protocol::DeleteGroupsRequest>(request);
  protocol::DeleteGroupsResponse answer;
  for (const std::string_view id : distinct(message.groups_names)) {
    answer.results.push_back(delete_result(id, error));
  }
  out.write(encode_body(answer, request.version()));
}

template <class Message, class Response>
void refuse_whole(const sdk::Request& request, std::int16_t error, sdk::BytesSink& out) {
  decode_body<Message>(request);
  Response answer;
  answer.error_code = error;
  out.write(encode_body(answer, request.version()));
}

}  // namespace

void OffsetsProtocol::refuse(const sdk::Request& request, std::int16_t kafka_error,
                             std::string_view, sdk::BytesSink& out) const {
  using namespace protocol;
  switch (request.api_key()) {
    case OffsetCommitRequest::api_key: {
      const auto message = decode_body<OffsetCommitRequest>(request);
      return out.write(encode_body(commit_error(message, kafka_error), request.version()));
    }
    case OffsetFetchRequest::api_key: return refuse_fetch(request, kafka_error, out);
    case DescribeGroupsRequest::api_key: return refuse_describe(request, kafka_error, out);
    case DeleteGroupsRequest::api_key: return refuse_delete(request, kafka_error, out);
    case ListGroupsRequest::api_key:
      return refuse_whole<ListGroupsRequest, ListGroupsResponse>(request, kafka_error, out);
    case OffsetDeleteRequest::api_key:
      return refuse_whole<OffsetDeleteRequest, OffsetDeleteResponse>(request, kafka_error, out);
    default: throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "an API that was not claimed");
  }
}

}  // namespace muster::offsets
