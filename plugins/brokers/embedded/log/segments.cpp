// See segments.hpp.
#include "log/segments.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <mutex>
#include <utility>

#include <muster/sdk/text.hpp>

namespace muster::embedded {
namespace {

namespace fs = std::filesystem;

// So that retention gives room back soon, and a start after a loss of power has little to check.
constexpr std::int64_t segment_bytes = std::int64_t{64} << 20;
constexpr std::size_t name_digits = 20;

// A file that was made is there after a loss of power once its folder is synced.
Stored<void> sync_folder(const fs::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool good = opened >= 0 && ::fsync(opened) == 0;
  if (opened >= 0) ::close(opened);
  if (good) return {};
  return std::unexpected(
      StorageError{sdk::text("the folder ", folder.string(), " could not be brought to disk")});
}

}  // namespace

void Segments::restore(Stretch known) {
  std::vector<std::int64_t> bases;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().stem().string();
    std::int64_t base = 0;
    const auto [rest, bad] = std::from_chars(name.data(), name.data() + name.size(), base);
    if (bad == std::errc() && rest == name.data() + name.size()) bases.push_back(base);
  }
  std::ranges::sort(bases);
  const std::int64_t end = known.position + known.size;
  const auto beyond = std::ranges::upper_bound(bases, end);
  for (auto base = beyond; base != bases.end(); ++base) files_->remove(path_of(*base));
  bases.erase(beyond, bases.end());
  // A process before this one may have left two.
  unsynced_.assign(bases.end() - std::min<std::ptrdiff_t>(2, std::ssize(bases)), bases.end());
  {
    const std::unique_lock lock(mutex_);
    bases_ = std::move(bases);
  }
  remove_all_but(known);
}

bool Segments::reaches(std::int64_t position) const {
  const Place place = place_of(position);
  const auto file = file_of(place);
  return file && *file != nullptr && (*file)->size() >= place.offset;
}

// A file is synced when the next but one is begun.
std::int64_t Segments::unsafe_from() const {
  const std::shared_lock lock(mutex_);
  return bases_.size() < 2 ? 0 : bases_[bases_.size() - 2];
}

fs::path Segments::path_of(std::int64_t base) const {
  std::string name = std::to_string(base);
  name.insert(0, name_digits - std::min(name_digits, name.size()), '0');
  return folder_ / (name + ".log");
}

Stored<SegmentFilePtr> Segments::file_for(std::int64_t position) {
  std::int64_t last = -1;
  {
    const std::shared_lock lock(mutex_);
    if (!bases_.empty()) last = bases_.back();
  }
  if (last >= 0 && position - last < segment_bytes) {
    if (auto open = last_.lock()) return open;
    auto file = files_->open(path_of(last));
    if (!file || *file != nullptr) {
      if (file) last_ = *file;
      return file;
    }
  }
  std::error_code error;
  fs::create_directories(folder_, error);
  auto file = files_->create(path_of(position));
  if (!file) return file;
  while (unsynced_.size() > 1) {
    const auto old = files_->open(path_of(unsynced_.front()));
    if (!old) return std::unexpected(old.error());
    if (*old != nullptr) {
      if (auto done = (*old)->sync(); !done) return std::unexpected(done.error());
    }
    unsynced_.erase(unsynced_.begin());
  }
  last_ = *file;
  folder_unsynced_ = true;
  const std::unique_lock lock(mutex_);
  if (bases_.empty() || bases_.back() != position) bases_.push_back(position);
  return file;
}

Stored<void> Segments::append(std::int64_t position, protocol::Bytes batch) {
  const auto file = file_for(position);
  if (!file) return std::unexpected(file.error());
  const std::int64_t base = bases_.back();  // nobody else changes it
  if (unsynced_.empty() || unsynced_.back() != base) unsynced_.push_back(base);
  return (*file)->write(position - base, batch);
}

Stored<void> Segments::sync() {
  for (const std::int64_t base : unsynced_) {
    const auto file = files_->open(path_of(base));
    if (!file) return std::unexpected(file.error());
    if (*file == nullptr) continue;
    if (auto done = (*file)->sync(); !done) return done;
  }
  unsynced_.clear();
  if (!folder_unsynced_) return {};
  auto done = sync_folder(folder_);
  folder_unsynced_ = !done;
  return done;
}

Segments::Place Segments::place_of(std::int64_t position) const {
  const std::shared_lock lock(mutex_);
  const auto next = std::ranges::upper_bound(bases_, position);
  if (next == bases_.begin()) return {};
  const std::int64_t base = *std::prev(next);
  const std::int64_t room =
      next == bases_.end() ? std::numeric_limits<std::int64_t>::max() : *next - position;
  return {path_of(base), position - base, room};
}

Stored<SegmentFilePtr> Segments::file_of(const Place& place) const {
  if (place.room == 0) return SegmentFilePtr();
  return files_->open(place.path);
}

Stored<StoredPiece> Segments::read(Stretch wanted) const {
  const Place place = place_of(wanted.position);
  const auto file = file_of(place);
  if (!file) return std::unexpected(file.error());
  if (*file == nullptr) return StoredPiece{};
  return (*file)->read(place.offset, std::min(wanted.size, place.room));
}

Stored<StoredBatch> Segments::copy(Stretch wanted) const {
  const Place place = place_of(wanted.position);
  const auto file = file_of(place);
  if (!file) return std::unexpected(file.error());
  if (*file == nullptr) return StoredBatch{};
  return (*file)->copy(place.offset, std::min(wanted.size, place.room));
}

void Segments::remove_all_but(Stretch kept) {
  std::vector<std::int64_t> gone;
  {
    const std::unique_lock lock(mutex_);
    auto first_kept =
        kept.size == 0 ? bases_.end() : std::ranges::upper_bound(bases_, kept.position);
    // The one before holds its first byte.
    if (kept.size != 0 && first_kept != bases_.begin()) --first_kept;
    gone.assign(bases_.begin(), first_kept);
    bases_.erase(bases_.begin(), first_kept);
  }
  for (const std::int64_t base : gone) {
    std::erase(unsynced_, base);
    files_->remove(path_of(base));
  }
}

}  // namespace muster::embedded
