// See fetch_answer.hpp. The partitions are written by the codec; only what surrounds them is
// spelled out here, since the codec would copy the batches.
#include "apis/fetch_answer.hpp"

#include <utility>

#include <muster/protocol/messages/fetch_response.hpp>

namespace muster::embedded {
namespace {

using protocol::FetchResponse;
using protocol::Writer;

constexpr std::int16_t first_with_session = 7;
constexpr std::int16_t first_with_ids = 13;

FetchResponse::PartitionData to_data(const FetchPlan& plan, const PlannedPartition& asked,
                                     const PartitionRead& read) {
  FetchResponse::PartitionData data;
  data.partition_index = asked.index;
  data.error_code = protocol::code(read.error);
  data.high_watermark = read.offsets.end;
  if (asked.partition == nullptr) return data;
  data.last_stable_offset = read.offsets.end;
  data.log_start_offset = read.offsets.start;
  if (!plan.read_committed || read.error != Error::none) data.aborted_transactions.reset();
  if (read.diverges) data.diverging_epoch = {Partition::leader_epoch, read.offsets.end};
  return data;
}

class BodyWriter {
 public:
  explicit BodyWriter(const FetchPlan& plan)
      : plan_(plan), flexible_(plan.version >= FetchResponse::first_flexible_version) {}

  std::unique_ptr<FetchBody> write(FetchReads reads) {
    {
      Writer out(framing());
      out.write_int32(0);  // throttle time
      if (plan_.version >= first_with_session) {
        out.write_int16(protocol::code(Error::none));
        out.write_int32(0);  // session id: none
      }
      out.write_count(plan_.topics.size(), flexible_);
    }
    std::size_t next = 0;
    for (const PlannedTopic& topic : plan_.topics) {
      begin(topic);
      for (const PlannedPartition& asked : topic.partitions) {
        add(asked, std::move(reads.partitions[next++]));
      }
      end_tags();
    }
    end_tags();
    collect_pieces();
    return std::move(body_);
  }

 private:
  struct Cut {
    std::size_t framing_end;
    std::size_t stored_end;
  };

  protocol::Buffer& framing() { return body_->framing; }

  void begin(const PlannedTopic& topic) {
    Writer out(framing());
    if (plan_.version >= first_with_ids) {
      out.write_uuid(topic.id);
    } else {
      out.write_string(topic.name, flexible_);
    }
    out.write_count(topic.partitions.size(), flexible_);
  }

  void add(const PlannedPartition& asked, PartitionRead read) {
    {
      Writer out(framing());
      to_data(plan_, asked, read).write(out, plan_.version);
    }
    if (read.pieces.empty()) return;
    // The records are the last field before the tags, of which a partition with data has none:
    // an empty string was written, and is replaced.
    const std::size_t tags = flexible_ ? 1 : 0;
    framing().resize(framing().size() - tags - protocol::size_of_count(0, flexible_));
    {
      Writer out(framing());
      out.write_count(static_cast<std::size_t>(read.size), flexible_);
    }
    for (StoredPiece& piece : read.pieces) body_->stored.push_back(std::move(piece));
    cuts_.push_back({framing().size(), body_->stored.size()});
    end_tags();
  }

  void end_tags() {
    if (flexible_) framing().push_back(0);
  }

  void collect_pieces() {
    std::size_t framing_at = 0;
    std::size_t stored_at = 0;
    const protocol::Bytes all(framing());
    for (const Cut& cut : cuts_) {
      body_->pieces.push_back(
          sdk::to_piece(all.subspan(framing_at, cut.framing_end - framing_at)));
      framing_at = cut.framing_end;
      for (; stored_at < cut.stored_end; ++stored_at) {
        body_->pieces.push_back(to_piece(body_->stored[stored_at]));
      }
    }
    if (framing_at < all.size()) body_->pieces.push_back(sdk::to_piece(all.subspan(framing_at)));
  }

  static muster_piece to_piece(const StoredPiece& stored) {
    if (!stored.bytes.empty()) return sdk::to_piece(stored.bytes);
    return {nullptr, static_cast<std::uint64_t>(stored.size),
            static_cast<std::uint64_t>(stored.offset), stored.file};
  }

  const FetchPlan& plan_;
  const bool flexible_;
  std::unique_ptr<FetchBody> body_ = std::make_unique<FetchBody>();
  std::vector<Cut> cuts_;
};

}  // namespace

std::unique_ptr<FetchBody> make_fetch_body(const FetchPlan& plan, FetchReads reads) {
  return BodyWriter(plan).write(std::move(reads));
}

void send(std::unique_ptr<FetchBody> body, sdk::Answer& answer) {
  const std::span<const muster_piece> pieces = body->pieces;
  answer.shared(sdk::SharedPieces{pieces, &sdk::Owning<FetchBody>::release, body.release()});
}

}  // namespace muster::embedded
