// One host a folder: flock on a file in it that says whose it is; see data_folder.hpp.
#include "service/data_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>

namespace muster::host {
namespace {

namespace fs = std::filesystem;

// No definition's folder: their names do not begin with a dot.
constexpr const char* lock_name = ".lock";

std::string reason(int error) { return std::generic_category().message(error); }

std::string cannot_write(const fs::path& root, int error) {
  return "the data folder " + root.string() + " cannot be written: " + reason(error);
}

// So that a folder that is there now is there after a power failure.
void sync_folder(const fs::path& folder) {
  const int opened = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (opened < 0) return;
  (void)::fsync(opened);
  ::close(opened);
}

// The pid that is written there; empty while the other host is just about to write it.
std::string read_pid(int file) {
  std::array<char, 32> text{};
  const ssize_t size = ::pread(file, text.data(), text.size(), 0);
  if (size <= 0) return {};
  const char* const end = text.data() + size;
  long pid = 0;
  const auto [rest, error] = std::from_chars(text.data(), end, pid);
  if (error != std::errc()) return {};
  return {static_cast<const char*>(text.data()), rest};
}

// It only tells people who holds the folder, so a full disk is no reason to fail here.
void write_pid(int file) {
  const std::string pid = std::to_string(::getpid()) + "\n";
  if (::ftruncate(file, 0) == 0) (void)!::pwrite(file, pid.data(), pid.size(), 0);
}

}  // namespace

DataFolder::DataFolder(fs::path root) : root_(fs::absolute(root).lexically_normal()) {}

DataFolder::~DataFolder() {
  if (locked_ >= 0) ::close(locked_);
}

std::string DataFolder::fault() const {
  const std::lock_guard hold(mutex_);
  return fault_;
}

std::expected<fs::path, std::string> DataFolder::folder_of(const std::string& definition) {
  const std::lock_guard hold(mutex_);
  const fs::path folder = root_ / definition;
  std::string why = take();
  if (why.empty()) why = make(folder);
  if (why.empty()) return folder;
  fault_ = why;
  return std::unexpected(why);
}

std::string DataFolder::claim() {
  const std::lock_guard hold(mutex_);
  return take();
}

std::string DataFolder::take() {
  std::string why = make(root_);
  return why.empty() ? lock() : why;
}

std::string DataFolder::make(const fs::path& folder) const {
  std::error_code error;
  const bool made = fs::create_directories(folder, error);
  if (error) return cannot_write(root_, error.value());
  if (made) sync_folder(folder.parent_path());
  return {};
}

std::string DataFolder::lock() {
  if (locked_ >= 0) return {};
  const int file = ::open((root_ / lock_name).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) return cannot_write(root_, errno);
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) {
    locked_ = file;
    write_pid(file);
    return {};
  }
  const int error = errno;
  const std::string pid = read_pid(file);
  ::close(file);
  if (error != EWOULDBLOCK) {
    return "the data folder " + root_.string() + " cannot be locked: " + reason(error);
  }
  return "the data folder " + root_.string() + " is in use by the host with pid " +
         (pid.empty() ? "(not told yet)" : pid) +
         "; stop that one, or give this one another host.data_dir";
}

}  // namespace muster::host
