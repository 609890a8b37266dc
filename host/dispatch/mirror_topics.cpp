#include "dispatch/mirror_topics.hpp"

#include "runtime/kafka_error.hpp"
#include "runtime/shard_of.hpp"

#include <muster/protocol/apis.hpp>
#include <muster/protocol/messages/produce_request.hpp>
#include <muster/protocol/messages/produce_response.hpp>
#include <muster/protocol/record_batch.hpp>

namespace muster::host {
namespace {

constexpr std::int16_t produce_version = 12;  // the last one that names topics
constexpr std::int32_t timeout_ms = 30000;

Buffer produce_request(std::string_view topic, std::uint32_t partition, const Buffer& batch) {
  protocol::ProduceRequest request;
  request.acks = 1;
  request.timeout_ms = timeout_ms;
  auto& data = request.topic_data.emplace_back();
  data.name = topic;
  auto& part = data.partition_data.emplace_back();
  part.index = static_cast<std::int32_t>(partition);
  part.records = Bytes(batch);
  Buffer body;
  protocol::encode(request, produce_version, body);
  return body;
}

// Whether the one partition of a request was appended to.
bool is_appended(Bytes body) {
  const auto response = protocol::decode<protocol::ProduceResponse>(body, produce_version);
  return response && response->responses.size() == 1 &&
         response->responses[0].partition_responses.size() == 1 &&
         response->responses[0].partition_responses[0].error_code == code_of(Error::none);
}

class Sent : public AnswerSink {
 public:
  explicit Sent(std::function<void(bool)> done) : done_(std::move(done)) {}
  void deliver(std::uint64_t, Answer answer) override {
    OwnedAnswer kept(std::move(answer));
    kept.join();
    done_(is_appended(kept.body));
  }

 private:
  std::function<void(bool)> done_;
};

}  // namespace

MirrorTopics::Place MirrorTopics::place_of(const MirrorRecord& record,
                                           const MetadataSnapshot& snapshot) const {
  if (record.partition) return {record.topic, *record.partition};
  const muster_topic* const topic = snapshot.by_name(record.topic);
  const std::uint32_t count = topic == nullptr ? 1 : std::max(topic->partition_count, 1u);
  return {record.topic, shard_of(record.partition_key, count)};
}

void MirrorTopics::append(std::uint32_t, std::vector<MirrorRecord> records) {
  const SnapshotPtr snapshot = parts_.metadata->current();
  const std::int64_t now = parts_.clock->wall_ms();
  std::map<Place, protocol::BatchBuilder> batches;
  for (const MirrorRecord& record : records) {
    const auto [batch, fresh] =
        batches.try_emplace(place_of(record, *snapshot), protocol::BatchOptions{});
    protocol::NewRecord added;
    added.timestamp = now;
    added.key = protocol::Bytes(Bytes(record.key));
    if (record.value) added.value = protocol::Bytes(Bytes(*record.value));
    batch->second.add(added);
  }
  for (const auto& [place, batch] : batches) {
    Buffer bytes;
    batch.finish(bytes);
    enqueue(place, produce_request(place.first, place.second, bytes));
  }
}

void MirrorTopics::enqueue(const Place& place, Buffer request) {
  {
    const std::lock_guard lock(mutex_);
    Queue& queue = queues_[place];
    queue.requests.push_back(std::move(request));
    if (std::exchange(queue.in_flight, true)) return;
  }
  parts_.executor->post([this, place] { send_next(place); });
}

void MirrorTopics::send_next(const Place& place) {
  InternalCall call{protocol::api::produce, produce_version, {}, {}, {}, {}};
  {
    const std::lock_guard lock(mutex_);
    Queue& queue = queues_[place];
    if (queue.requests.empty()) {
      queue.in_flight = false;
      return;
    }
    call.body = std::move(queue.requests.front());
    queue.requests.pop_front();
  }
  auto sent = std::make_shared<Sent>([this, place](bool good) {
    if (!good) {
      parts_.observer->log(MUSTER_LOG_WARN, "a batch could not be mirrored to " + place.first +
                                                "-" + std::to_string(place.second));
    }
    parts_.executor->post([this, place] { send_next(place); });
  });
  parts_.caller->call(std::move(call), ReplyTo{std::move(sent), 0});
}

}  // namespace muster::host
