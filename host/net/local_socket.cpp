#include "net/local_socket.hpp"

#include "config/local_socket.hpp"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

namespace muster::host {
namespace {

std::string reason(int error) { return std::generic_category().message(error); }

sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

int bind_to(int socket, const sockaddr_un& address) {
  return ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0
                                                                                          : errno;
}

// A full backlog is a living host as well.
bool somebody_listens(const sockaddr_un& address) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return true;
  const int failed =
      ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0
                                                                                          : errno;
  ::close(socket);
  return failed != ECONNREFUSED && failed != ENOENT;
}

// Empty: the way is free.
std::string clear_away(const std::string& path, const sockaddr_un& address) {
  struct stat there{};
  if (::lstat(path.c_str(), &there) != 0) return {};
  if (!S_ISSOCK(there.st_mode)) return "'" + path + "' is there and is no socket";
  if (somebody_listens(address)) return "another host listens on '" + path + "'";
  if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
  return "'" + path + "' of a host that is gone cannot be removed: " + reason(errno);
}

}  // namespace

std::expected<LocalSocketFile, std::string> LocalSocketFile::bind(
    int socket, const std::filesystem::path& path) {
  const std::string text = path.string();
  if (text.size() >= socket_path_bytes_max) {
    return std::unexpected("'" + text + "' has " + std::to_string(text.size()) +
                           " bytes, and the path of a socket at most " +
                           std::to_string(socket_path_bytes_max - 1));
  }
  const sockaddr_un address = address_of(text);
  int failed = bind_to(socket, address);
  if (failed == EADDRINUSE) {
    if (std::string why = clear_away(text, address); !why.empty()) return std::unexpected(why);
    failed = bind_to(socket, address);
  }
  if (failed != 0) return std::unexpected("'" + text + "' cannot be made: " + reason(failed));
  LocalSocketFile file(path);
  struct stat made{};
  // Nobody can connect before it listens, so that there is no moment in which others may.
  if (::chmod(text.c_str(), S_IRUSR | S_IWUSR) != 0 || ::lstat(text.c_str(), &made) != 0) {
    return std::unexpected("'" + text + "' cannot be kept from others: " + reason(errno));
  }
  file.device_ = made.st_dev;
  file.inode_ = made.st_ino;
  return file;
}

LocalSocketFile::LocalSocketFile(LocalSocketFile&& other) noexcept
    : path_(std::exchange(other.path_, {})), device_(other.device_), inode_(other.inode_) {}

LocalSocketFile::~LocalSocketFile() {
  if (path_.empty()) return;
  struct stat there{};
  if (::lstat(path_.c_str(), &there) != 0) return;
  if (there.st_dev == device_ && there.st_ino == inode_) ::unlink(path_.c_str());
}

}  // namespace muster::host
