// ListOffsets. Lookups by time look into batches, compressed or not, so that answers are exact.
#include "apis/handlers.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <muster/protocol/messages/list_offsets_request.hpp>
#include <muster/protocol/messages/list_offsets_response.hpp>
#include <muster/protocol/record_batch.hpp>

#include "records/record_scanner.hpp"

namespace muster::embedded {
namespace {

using protocol::ListOffsetsRequest;
using protocol::ListOffsetsResponse;

// What negative timestamps stand for.
enum Moment : std::int64_t {
  latest = -1,
  earliest = -2,
  max_timestamp = -3,
  earliest_local = -4,
  latest_tiered = -5,
  earliest_pending_upload = -6,
};

bool supported(std::int64_t timestamp, std::int16_t version) {
  switch (timestamp) {
    case latest:
    case earliest: return true;
    case max_timestamp: return version >= 7;
    case earliest_local: return version >= 8;
    case latest_tiered: return version >= 9;
    case earliest_pending_upload: return version >= 11;
    default: return timestamp >= 0;
  }
}

struct Found {
  std::int64_t offset = -1;
  std::int64_t timestamp = -1;
  std::int32_t leader_epoch = -1;
};

RecordScanner scanner_of(const protocol::RecordBatchView& batch) {
  ScannedBatch scan;
  scan.codec = static_cast<std::uint8_t>(batch.compression());
  scan.records = batch.records();
  scan.record_count = batch.record_count();
  scan.base_timestamp = batch.base_timestamp();
  scan.max_record_size = std::numeric_limits<std::int32_t>::max();
  if (batch.timestamp_type() == protocol::TimestampType::log_append_time) {
    scan.append_time = batch.max_timestamp();
  }
  return RecordScanner(scan);
}

// Calls see(found) for the batch's records from `from` until it gives false.
template <class See>
Stored<void> for_each_record(const protocol::RecordBatchView& batch, std::int64_t from, See see) {
  RecordScanner scanner = scanner_of(batch);
  for (;;) {
    const auto record = scanner.next();
    if (!record) return std::unexpected(StorageError{"a stored batch cannot be read"});
    if (!*record) return {};
    const std::int64_t offset = batch.base_offset() + (*record)->offset_delta;
    if (offset < from) continue;
    if (!see(Found{offset, (*record)->timestamp, batch.partition_leader_epoch()})) return {};
  }
}

using Look = Stored<std::optional<StoredBatch>>;

// The first record at `timestamp` or later. A batch may have been cut in its middle, or promise
// what only a record before the cut had: then the next one is asked.
Stored<Found> first_reaching(const Partition& partition, std::int64_t timestamp) {
  const std::int64_t start = partition.offsets().start;
  for (std::int64_t from = start;;) {
    const Look look = partition.log().first_reaching(timestamp, from);
    if (!look) return std::unexpected(look.error());
    if (!*look) return Found{};
    const auto batch = *protocol::RecordBatchView::first((*look)->bytes);
    Found found;
    auto scanned = for_each_record(batch, start, [&](const Found& record) {
      if (record.timestamp < timestamp) return true;
      found = record;
      return false;
    });
    if (!scanned) return std::unexpected(std::move(scanned.error()));
    if (found.offset >= 0) return found;
    from = batch.base_offset() + batch.last_offset_delta() + 1;
  }
}

// The first of the records with the greatest timestamp. Only the first batch can be cut in its
// middle; if its greatest is gone, the rest of it and the batches behind it compete.
Stored<Found> newest_by_timestamp(const Partition& partition) {
  const std::int64_t start = partition.offsets().start;
  Found best;
  for (std::int64_t from = start;;) {
    const Look look = partition.log().newest_by_timestamp(from);
    if (!look) return std::unexpected(look.error());
    if (!*look) return best;
    const auto batch = *protocol::RecordBatchView::first((*look)->bytes);
    auto scanned = for_each_record(batch, start, [&](const Found& record) {
      if (best.offset < 0 || record.timestamp > best.timestamp) best = record;
      return true;
    });
    if (!scanned) return std::unexpected(std::move(scanned.error()));
    if (batch.base_offset() >= start || best.timestamp == batch.max_timestamp()) return best;
    from = batch.base_offset() + batch.last_offset_delta() + 1;
  }
}

Stored<Found> offset_at(const Partition& partition, std::int64_t timestamp) {
  switch (timestamp) {
    case latest: return Found{partition.offsets().end, -1, Partition::leader_epoch};
    case earliest:
    case earliest_local: return Found{partition.offsets().start, -1, Partition::leader_epoch};
    // Nothing is tiered.
    case latest_tiered:
    case earliest_pending_upload: return Found{};
    case max_timestamp: return newest_by_timestamp(partition);
    default: return first_reaching(partition, timestamp);
  }
}

using TopicPartition = std::pair<std::string_view, std::int32_t>;

class Lookup {
 public:
  Lookup(const Core& core, const sdk::Request& request, const ListOffsetsRequest& body)
      : core_(core), request_(request), body_(body), topics_(core.topics.current()) {
    find_repeated();
  }

  ListOffsetsResponse run() {
    ListOffsetsResponse response;
    for (const auto& asked : body_.topics) {
      auto& topic_response = response.topics.emplace_back();
      topic_response.name = asked.name;
      const bool allowed = core_.may(request_, sdk::Operation::describe, asked.name);
      const Topic* topic = topics_->by_name(asked.name);
      for (const auto& partition : asked.partitions) {
        const TopicPartition key{asked.name, partition.partition_index};
        const bool repeated = repeated_.contains(key);
        if (repeated && !answered_.insert(key).second) continue;
        auto& out = topic_response.partitions.emplace_back();
        out.partition_index = partition.partition_index;
        const Error error = !allowed   ? Error::topic_authorization_failed
                            : repeated ? Error::invalid_request
                                       : look_up(topic, partition, out);
        out.error_code = protocol::code(error);
      }
      if (topic_response.partitions.empty()) response.topics.pop_back();
    }
    return response;
  }

 private:
  using Asked = ListOffsetsRequest::ListOffsetsPartition;
  using Out = ListOffsetsResponse::ListOffsetsPartitionResponse;

  void find_repeated() {
    std::set<TopicPartition> seen;
    for (const auto& topic : body_.topics) {
      for (const auto& partition : topic.partitions) {
        const TopicPartition key{topic.name, partition.partition_index};
        if (!seen.insert(key).second) repeated_.insert(key);
      }
    }
  }

  Error look_up(const Topic* topic, const Asked& asked, Out& out) const {
    if (!supported(asked.timestamp, request_.version())) return Error::unsupported_version;
    const auto* partition = topic == nullptr ? nullptr : topic->partition(asked.partition_index);
    if (partition == nullptr || (*partition)->closed()) return Error::unknown_topic_or_partition;
    const Error fault = leader_epoch_fault(asked.current_leader_epoch);
    if (fault != Error::none) return fault;
    const auto found = offset_at(**partition, asked.timestamp);
    if (!found) {
      core_.host.error("a log could not be read: ", found.error().what);
      return Error::kafka_storage_error;
    }
    out.offset = found->offset;
    out.timestamp = found->timestamp;
    if (request_.version() >= 4) out.leader_epoch = found->leader_epoch;
    return Error::none;
  }

  const Core& core_;
  const sdk::Request& request_;
  const ListOffsetsRequest& body_;
  const Topics topics_;
  std::set<TopicPartition> repeated_;
  std::set<TopicPartition> answered_;
};

}  // namespace

void handle_list_offsets(Core& core, const sdk::Request& request, sdk::Answer& answer) {
  const auto body = protocol::decode<ListOffsetsRequest>(request.body(), request.version());
  if (!body) return answer.close();
  reply(request, answer, Lookup(core, request, *body).run());
}

}  // namespace muster::embedded
