// Bodies in and out, and the error answers that both a decide and a refuse give. Free of state.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <muster/protocol/codec.hpp>
#include <muster/protocol/messages/delete_groups_response.hpp>
#include <muster/protocol/messages/describe_groups_response.hpp>
#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/messages/offset_commit_response.hpp>
#include <muster/protocol/messages/offset_fetch_request.hpp>
#include <muster/protocol/messages/offset_fetch_response.hpp>
#include <muster/sdk/decision.hpp>
#include <muster/sdk/failure.hpp>
#include <muster/sdk/request.hpp>

namespace muster::offsets {

using FetchGroup = protocol::OffsetFetchRequest::OffsetFetchRequestGroup;
using FetchTopic = protocol::OffsetFetchRequest::OffsetFetchRequestTopics;
using FetchedGroup = protocol::OffsetFetchResponse::OffsetFetchResponseGroup;
using FetchedTopic = protocol::OffsetFetchResponse::OffsetFetchResponseTopics;
using FetchedPartition = protocol::OffsetFetchResponse::OffsetFetchResponsePartitions;

template <class Message>
Message decode_body(const sdk::Request& request) {
  auto decoded = protocol::decode<Message>(request.body(), request.version());
  if (!decoded) throw sdk::Failure(MUSTER_INVALID_ARGUMENT, std::string{decoded.error().what});
  return *std::move(decoded);
}

template <class Message>
protocol::Buffer encode_body(const Message& message, std::int16_t version) {
  protocol::Buffer body;
  protocol::encode(message, version, body);
  return body;
}

// Small answers are copied into what leaves anyway; large ones are worth an owner.
template <class Message>
void respond(const Message& message, const sdk::Request& request, sdk::Decision& out) {
  constexpr std::size_t large = 4096;
  protocol::Buffer body = encode_body(message, request.version());
  if (body.size() < large) return out.respond(body);
  out.respond_owned(std::move(body));
}

// The request's groups, as version 8 has them, whatever version it is.
std::vector<FetchGroup> groups_of(protocol::OffsetFetchRequest& message, std::int16_t version);
// The answer to them in that version.
protocol::OffsetFetchResponse fetched(std::vector<FetchedGroup> groups, std::int16_t version);
// Version 1 has no place for an error but the partitions.
FetchedGroup fetch_error(const FetchGroup& group, std::int16_t error, std::int16_t version);

protocol::OffsetCommitResponse commit_error(const protocol::OffsetCommitRequest& message,
                                            std::int16_t error);

inline protocol::DescribeGroupsResponse::DescribedGroup describe_error(std::string_view group,
                                                                       std::int16_t error) {
  protocol::DescribeGroupsResponse::DescribedGroup out;
  out.group_id = group;
  out.error_code = error;
  return out;
}

inline protocol::DeleteGroupsResponse::DeletableGroupResult delete_result(std::string_view group,
                                                                          std::int16_t error) {
  protocol::DeleteGroupsResponse::DeletableGroupResult out;
  out.group_id = group;
  out.error_code = error;
  return out;
}

// The same, each once, in the order of first appearance.
std::vector<std::string_view> distinct(const std::vector<std::string_view>& names);

// Topics of an answer in Kafka's order: those with an early error first, then the results, a topic
// with both once.
template <class Topic>
class MergedTopics {
 public:
  // `name` identifies the topic: its name, or the bytes of its id.
  template <class Make>
  Topic& at(std::string_view name, Make&& make) {
    const auto [found, added] = index_.try_emplace(std::string{name}, topics_.size());
    if (added) topics_.push_back(make());
    return topics_[found->second];
  }

  // Name(topic) -> what identifies it.
  template <class Name>
  std::vector<Topic> merge(std::vector<Topic> results, Name&& name) && {
    if (topics_.empty()) return results;
    for (Topic& topic : results) {
      Topic& into = at(name(topic), [&] { return std::exchange(topic, {}); });
      auto& more = topic.partitions;
      into.partitions.insert(into.partitions.end(), more.begin(), more.end());
    }
    return std::move(topics_);
  }

 private:
  std::vector<Topic> topics_;
  std::unordered_map<std::string, std::size_t> index_;
};

}  // namespace muster::offsets
