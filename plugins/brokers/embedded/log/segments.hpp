// The batches of one log, back to back in files of some 64 MiB, and beside each file an index: an
// entry for each batch. A file is named by the position of its first byte. The indexes say what
// counts: a batch is written before its entry, and what lies behind the last entry's was never
// acknowledged and is written over. A third file has the producers that were known when the segment
// was begun.
// Threads: append, sync and removing are serial, everything else runs beside them.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "log/index_entry.hpp"
#include "log/segment_file.hpp"

namespace muster::embedded {

class Segments {
 public:
  // True: go on.
  using See = std::function<bool(const IndexEntry&)>;

  Segments(std::shared_ptr<SegmentFiles> files, std::string folder)
      : files_(std::move(files)), folder_(std::move(folder)) {}

  // What is there, before anything else. Ends before the first entry or batch that is not whole;
  // where the machine ran on since they were written, only the end is looked at.
  Stored<void> restore(bool machine_ran_on);

  // `known`: the producers before this batch; null: none.
  Stored<void> append(const IndexEntry& entry, protocol::Bytes batch, const KnownProducers* known);
  // Everything that was appended.
  Stored<void> sync();

  // The newest one.
  std::optional<IndexEntry> last() const;
  // From the one that holds the offset, or the first behind it.
  Stored<void> for_each(std::int64_t offset, const See& see) const;
  // From the newest back, until it is told to end or knows the producers of what lies before: these
  // it gives.
  Stored<std::vector<ProducerEntry>> for_each_backwards(const See& see) const;
  // An offset before which no batch has a timestamp of at least this.
  Stored<std::int64_t> none_reaching_before(std::int64_t timestamp) const;

  // From `position` at most `size` bytes, of one file; of no size where it was removed meanwhile.
  Stored<StoredPiece> read(std::int64_t position, std::int64_t size) const;
  Stored<StoredBatch> copy(const IndexEntry& entry) const;

  // Files that hold nothing behind that position.
  void remove_below(std::int64_t position);

 private:
  struct Segment {
    std::int64_t base = 0;  // position of its first byte
    std::int64_t first_offset = 0;
    std::int64_t entries = 0;
  };
  struct Place {
    Segment segment;
    std::int64_t offset = 0;  // in its log
    std::int64_t room = 0;    // to the next segment
  };
  // What of a segment is looked at: all batches, whether its end is whole, or its edges only.
  enum class Look { all, end, edges };

  std::string log_path(std::int64_t base) const;
  std::string index_path(std::int64_t base) const;
  std::string producers_path(std::int64_t base) const;
  std::vector<std::int64_t> bases_on_disk() const;
  Stored<std::optional<Segment>> look_at(std::int64_t base, Look look);
  std::unexpected<StorageError> damaged(std::int64_t base) const;
  Stored<void> begin_segment(const IndexEntry& entry, const KnownProducers* known);
  Stored<void> write_producers(std::int64_t base, const KnownProducers* known);
  // Nothing where they are not known.
  Stored<std::optional<std::vector<ProducerEntry>>> producers_before(std::int64_t base) const;
  Stored<void> sync_segment(std::int64_t base);
  void remove(std::int64_t base) const;
  using PathOf = std::string (Segments::*)(std::int64_t base) const;
  // Named only where it was closed meanwhile: that costs more than looking.
  Stored<SegmentFilePtr> reopen(std::weak_ptr<const SegmentFile>& kept, PathOf path,
                                std::int64_t base) const;
  std::vector<Segment> segments() const;
  // Where looking for an offset begins, and how it goes on.
  std::optional<Segment> segment_for(std::int64_t offset) const;
  std::optional<Segment> segment_behind(std::int64_t base) const;
  Place place_of(std::int64_t position) const;
  // Null where the segment was removed meanwhile.
  Stored<SegmentFilePtr> open(const Segment& segment, const std::string& path) const;

  const std::shared_ptr<SegmentFiles> files_;
  const std::string folder_;
  mutable std::shared_mutex mutex_;
  std::vector<Segment> segments_;   // ascending; guarded by mutex_
  std::optional<IndexEntry> last_;  // guarded by mutex_
  // Of append and sync alone.
  std::vector<std::int64_t> unsynced_;  // segments that hold what is not synced
  bool folder_unsynced_ = false;
  std::weak_ptr<const SegmentFile> last_log_, last_index_;
};

}  // namespace muster::embedded
