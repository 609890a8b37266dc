// See segment_file.hpp.
#include "log/segment_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include <muster/sdk/text.hpp>

namespace muster::embedded {
namespace {

// From here on mapping costs less than copying.
constexpr std::int64_t mapped_from_bytes = 128 * 1024;

std::string reason(int error) { return std::generic_category().message(error); }

// The pages of a file that hold a stretch of it.
class Mapping {
 public:
  Mapping(int file, std::int64_t at, std::int64_t size) : skipped_(at % page_size()) {
    length_ = static_cast<std::size_t>(size + skipped_);
    pages_ = ::mmap(nullptr, length_, PROT_READ, MAP_SHARED | MAP_POPULATE, file, at - skipped_);
  }
  ~Mapping() {
    if (good()) ::munmap(pages_, length_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  bool good() const { return pages_ != MAP_FAILED; }
  protocol::Bytes bytes() const {
    const auto skipped = static_cast<std::size_t>(skipped_);
    return {static_cast<const std::uint8_t*>(pages_) + skipped, length_ - skipped};
  }

 private:
  static std::int64_t page_size() {
    static const std::int64_t size = ::sysconf(_SC_PAGESIZE);
    return size;
  }

  const std::int64_t skipped_;
  std::size_t length_ = 0;
  void* pages_ = nullptr;
};

}  // namespace

SegmentFile::~SegmentFile() { ::close(descriptor_); }

std::unexpected<StorageError> SegmentFile::fault(const char* what, int error) const {
  return std::unexpected(StorageError{sdk::text(path_.string(), " ", what, ": ", reason(error))});
}

Stored<void> SegmentFile::write(std::int64_t at, protocol::Bytes bytes) const {
  while (!bytes.empty()) {
    const ssize_t done = ::pwrite(descriptor_, bytes.data(), bytes.size(), at);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return fault("could not be written", done < 0 ? errno : ENOSPC);
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
  struct stat of{};
  return ::fstat(descriptor_, &of) == 0 ? static_cast<std::int64_t>(of.st_size) : 0;
}

Stored<StoredBatch> SegmentFile::read(std::int64_t at, std::int64_t size) const {
  return size < mapped_from_bytes ? copy(at, size) : map(at, size);
}

Stored<StoredBatch> SegmentFile::copy(std::int64_t at, std::int64_t size) const {
  const auto length = static_cast<std::size_t>(size);
  const auto bytes = std::make_shared_for_overwrite<std::uint8_t[]>(length);
  for (std::size_t have = 0; have < length;) {
    const ssize_t got = ::pread(descriptor_, bytes.get() + have, length - have,
                                at + static_cast<std::int64_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fault("could not be read", errno);
    if (got == 0) {
      return std::unexpected(StorageError{sdk::text(path_.string(), " ends too early")});
    }
    have += static_cast<std::size_t>(got);
  }
  return StoredBatch{bytes, {bytes.get(), length}};
}

// Beyond the end of a file there is nothing to map, so it is looked at first.
Stored<StoredBatch> SegmentFile::map(std::int64_t at, std::int64_t size) const {
  if (this->size() < at + size) {
    return std::unexpected(StorageError{sdk::text(path_.string(), " ends too early")});
  }
  const auto mapping = std::make_shared<const Mapping>(descriptor_, at, size);
  if (!mapping->good()) return copy(at, size);
  return StoredBatch{mapping, mapping->bytes()};
}

Stored<SegmentFilePtr> SegmentFiles::open(const std::filesystem::path& path) {
  return open(path, 0);
}

Stored<SegmentFilePtr> SegmentFiles::create(const std::filesystem::path& path) {
  return open(path, O_CREAT);
}

Stored<SegmentFilePtr> SegmentFiles::open(const std::filesystem::path& path, int flags) {
  const std::lock_guard lock(mutex_);
  if (const auto known = open_.find(path); known != open_.end()) return known->second;
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC | flags, 0644);
  if (descriptor < 0) {
    if (errno == ENOENT && flags == 0) return SegmentFilePtr();
    return std::unexpected(
        StorageError{sdk::text(path.string(), " could not be opened: ", reason(errno))});
  }
  while (order_.size() >= most_open_) {
    open_.erase(order_.front());
    order_.pop_front();
  }
  order_.push_back(path);
  return open_[path] = std::make_shared<const SegmentFile>(descriptor, path);
}

void SegmentFiles::remove(const std::filesystem::path& path) {
  const std::lock_guard lock(mutex_);
  open_.erase(path);
  std::erase(order_, path);
  std::error_code gone_already;
  std::filesystem::remove(path, gone_already);
}

void SegmentFiles::remove_folder(const std::filesystem::path& folder) {
  const std::lock_guard lock(mutex_);
  const std::string below = folder.string() + '/';
  const auto inside = [&](const std::filesystem::path& path) {
    return path.native().starts_with(below);
  };
  std::erase_if(open_, [&](const auto& file) { return inside(file.first); });
  std::erase_if(order_, inside);
  std::error_code gone_already;
  std::filesystem::remove_all(folder, gone_already);
}

}  // namespace muster::embedded
