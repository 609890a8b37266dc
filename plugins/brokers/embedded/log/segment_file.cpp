// See segment_file.hpp.
#include "log/segment_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include <muster/sdk/text.hpp>

namespace muster::embedded {
namespace {

// Below that a copy costs less than a call of its own to send it.
constexpr std::int64_t sent_from_file_bytes = 16 * 1024;

std::string reason(int error) { return std::generic_category().message(error); }

}  // namespace

SegmentFile::~SegmentFile() { ::close(descriptor_); }

std::unexpected<StorageError> SegmentFile::fault(const char* what, int error) const {
  return std::unexpected(StorageError{sdk::text(path_, " ", what, ": ", reason(error))});
}

std::unexpected<StorageError> SegmentFile::unwritten(int error) const {
  const bool full = error == ENOSPC || error == EDQUOT || error == EFBIG;
  return fault(
      full ? "could not be written, and takes no more until there is room" : "could not be written",
      error);
}

std::unexpected<StorageError> SegmentFile::damaged() const {
  return std::unexpected(StorageError{sdk::text(path_, " is damaged")});
}

std::unexpected<StorageError> SegmentFile::ends_too_early() const {
  return std::unexpected(StorageError{sdk::text(path_, " ends too early")});
}

Stored<void> SegmentFile::write(std::int64_t at, protocol::Bytes bytes) const {
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(descriptor_, bytes.data(), bytes.size(), at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return unwritten(done < 0 ? errno : ENOSPC);
    bytes = bytes.subspan(static_cast<std::size_t>(done));
    at += done;
  }
  return {};
}

Stored<void> SegmentFile::sync() const {
  if (::fdatasync(descriptor_) != 0) return fault("could not be brought to disk", errno);
  return {};
}

std::int64_t SegmentFile::size() const {
  struct stat of {};
  return ::fstat(descriptor_, &of) == 0 ? static_cast<std::int64_t>(of.st_size) : 0;
}

Stored<StoredPiece> SegmentFile::read(std::int64_t at, std::int64_t size) const {
  if (size < sent_from_file_bytes) {
    auto copied = copy(at, size);
    if (!copied) return std::unexpected(std::move(copied.error()));
    return StoredPiece{.owner = std::move(copied->owner), .bytes = copied->bytes, .size = size};
  }
  if (this->size() < at + size) return ends_too_early();
  return StoredPiece{
      .owner = shared_from_this(), .bytes = {}, .file = descriptor_, .offset = at, .size = size};
}

Stored<StoredBatch> SegmentFile::copy(std::int64_t at, std::int64_t size) const {
  const auto length = static_cast<std::size_t>(size);
  const auto bytes = std::make_shared_for_overwrite<std::uint8_t[]>(length);
  if (auto done = copy(at, {bytes.get(), length}); !done) {
    return std::unexpected(std::move(done.error()));
  }
  return StoredBatch{bytes, {bytes.get(), length}};
}

Stored<void> SegmentFile::copy(std::int64_t at, std::span<std::uint8_t> into) const {
  while (!into.empty()) {
    const ssize_t got = ::pread(descriptor_, into.data(), into.size(), at);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fault("could not be read", errno);
    if (got == 0) return ends_too_early();
    into = into.subspan(static_cast<std::size_t>(got));
    at += got;
  }
  return {};
}

Stored<void> SegmentFile::cut(std::int64_t size) const {
  if (::ftruncate(descriptor_, size) != 0) return fault("could not be cut", errno);
  return {};
}

Stored<SegmentFilePtr> SegmentFiles::open(const std::string& path) { return open(path, 0); }

Stored<SegmentFilePtr> SegmentFiles::create(const std::string& path) { return open(path, O_CREAT); }

Stored<SegmentFilePtr> SegmentFiles::open(const std::string& path, int flags) {
  const std::lock_guard lock(mutex_);
  if (const auto known = open_.find(path); known != open_.end()) return known->second;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0644);
  if (descriptor < 0) {
    if (errno == ENOENT && flags == 0) return SegmentFilePtr();
    return std::unexpected(StorageError{sdk::text(path, " could not be opened: ", reason(errno))});
  }
  while (order_.size() >= most_open_) {
    open_.erase(order_.front());
    order_.pop_front();
  }
  order_.push_back(path);
  return open_[path] = std::make_shared<const SegmentFile>(descriptor, path);
}

StorageError SegmentFiles::failed(StorageError why) {
  if (failing_.exchange(true)) return {};
  return why;
}

StorageError SegmentFiles::end_writing(StorageError why) {
  if (over_.exchange(true)) return {};
  why.what += "; nothing more is written until the broker starts again";
  return why;
}

void SegmentFiles::remove(const std::string& path) {
  const std::lock_guard lock(mutex_);
  open_.erase(path);
  std::erase(order_, path);
  std::error_code gone_already;
  std::filesystem::remove(path, gone_already);
}

void SegmentFiles::remove_folder(const std::string& folder) {
  const std::lock_guard lock(mutex_);
  const std::string below = folder + '/';
  const auto inside = [&](const std::string& path) { return path.starts_with(below); };
  std::erase_if(open_, [&](const auto& file) { return inside(file.first); });
  std::erase_if(order_, inside);
  std::error_code gone_already;
  std::filesystem::remove_all(folder, gone_already);
}

}  // namespace muster::embedded
