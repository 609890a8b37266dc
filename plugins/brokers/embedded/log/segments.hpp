// The batches of one log, back to back in files that are each named by the position of their first
// byte. Which bytes count is the index's to say: what lies behind them was never acknowledged and
// is written over. Threads: append, sync and removing are serial, reading runs beside them.
#pragma once

#include <filesystem>
#include <memory>
#include <shared_mutex>
#include <vector>

#include "log/segment_file.hpp"

namespace muster::embedded {

// [position, position + size) of all that was ever appended.
struct Stretch {
  std::int64_t position = 0;
  std::int64_t size = 0;
};

class Segments {
 public:
  Segments(std::shared_ptr<SegmentFiles> files, std::filesystem::path folder)
      : files_(std::move(files)), folder_(std::move(folder)) {}

  // What is there. Files that hold nothing of what is known are removed.
  void restore(Stretch known);
  // Whether the files reach so far.
  bool reaches(std::int64_t position) const;
  // The first position from which on nothing is certain to have reached the disk.
  std::int64_t unsafe_from() const;

  Stored<void> append(std::int64_t position, protocol::Bytes batch);
  // Everything that was appended.
  Stored<void> sync();
  // A stretch of one file, perhaps shorter than asked for; of no size where it was removed
  // meanwhile.
  Stored<StoredPiece> read(Stretch wanted) const;
  // For whoever looks into them.
  Stored<StoredBatch> copy(Stretch wanted) const;
  // Files that hold nothing of this any more.
  void remove_all_but(Stretch kept);

 private:
  struct Place {
    std::filesystem::path path;
    std::int64_t offset = 0;  // in the file
    std::int64_t room = 0;    // to the next file
  };

  std::filesystem::path path_of(std::int64_t base) const;
  Place place_of(std::int64_t position) const;
  Stored<SegmentFilePtr> file_of(const Place& place) const;
  Stored<SegmentFilePtr> file_for(std::int64_t position);

  const std::shared_ptr<SegmentFiles> files_;
  const std::filesystem::path folder_;
  mutable std::shared_mutex mutex_;
  std::vector<std::int64_t> bases_;  // ascending; guarded by mutex_
  // Of append and sync alone: files that hold what is not synced.
  std::vector<std::int64_t> unsynced_;
  bool folder_unsynced_ = false;
  std::weak_ptr<const SegmentFile> last_;
};

}  // namespace muster::embedded
