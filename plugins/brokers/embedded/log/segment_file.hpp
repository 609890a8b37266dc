// A file of batches that lie back to back, and the files that are open: few, however many
// partitions there are. Any thread.
#pragma once

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "log/log.hpp"

namespace muster::embedded {

class SegmentFile : public std::enable_shared_from_this<SegmentFile> {
 public:
  SegmentFile(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}
  ~SegmentFile();
  SegmentFile(const SegmentFile&) = delete;
  SegmentFile& operator=(const SegmentFile&) = delete;

  Stored<void> write(std::int64_t at, protocol::Bytes bytes) const;
  Stored<void> sync() const;
  // All of it, or an error: nobody asks for bytes that were not written. What is small is copied.
  Stored<StoredPiece> read(std::int64_t at, std::int64_t size) const;
  Stored<StoredBatch> copy(std::int64_t at, std::int64_t size) const;
  Stored<void> copy(std::int64_t at, std::span<std::uint8_t> into) const;
  Stored<void> cut(std::int64_t size) const;
  std::int64_t size() const;
  std::unexpected<StorageError> damaged() const;

 private:
  std::unexpected<StorageError> ends_too_early() const;
  std::unexpected<StorageError> unwritten(int error) const;
  std::unexpected<StorageError> fault(const char* what, int error) const;

  const int descriptor_;
  const std::string path_;
};

using SegmentFilePtr = std::shared_ptr<const SegmentFile>;

class SegmentFiles {
 public:
  explicit SegmentFiles(std::size_t most_open) : most_open_(most_open) {}

  // Null where there is no such file.
  Stored<SegmentFilePtr> open(const std::string& path);
  Stored<SegmentFilePtr> create(const std::string& path);
  // Whoever reads it goes on.
  void remove(const std::string& path);
  void remove_folder(const std::string& folder);
  // That writing failed is told once, until it goes well again.
  StorageError failed(StorageError why);
  // Nothing more is written: what a failed sync left behind nobody knows.
  StorageError end_writing(StorageError why);
  bool writing_is_over() const { return over_.load(std::memory_order_relaxed); }
  void went_well() {
    if (failing_.load(std::memory_order_relaxed)) failing_ = false;
  }

 private:
  Stored<SegmentFilePtr> open(const std::string& path, int flags);

  const std::size_t most_open_;
  std::atomic<bool> failing_{false};
  std::atomic<bool> over_{false};
  std::mutex mutex_;
  std::map<std::string, SegmentFilePtr> open_;
  std::deque<std::string> order_;  // in which they were opened
};

}  // namespace muster::embedded
