// The socket in the data folder: whose it is, and who may open it.
#include "net/local_socket.hpp"

#include "support/scratch_folder.hpp"

#include <gmock/gmock.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace muster::host {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class LocalSocket : public ::testing::Test {
 protected:
  ~LocalSocket() override {
    for (const int socket : sockets_) ::close(socket);
  }
  int open() { return sockets_.emplace_back(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)); }

  muster::testing::ScratchFolder folder_;
  fs::path path_ = folder_.path() / "muster.sock";
  std::vector<int> sockets_;
};

TEST_F(LocalSocket, OnlyItsUserMayOpenIt) {
  const auto file = LocalSocketFile::bind(open(), path_);
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(fs::status(path_).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(LocalSocket, IsGoneWithItsHost) {
  {
    const auto file = LocalSocketFile::bind(open(), path_);
    ASSERT_TRUE(file) << file.error();
  }
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(LocalSocket, OfAKilledHostIsReplaced) {
  const int dead = open();
  const auto left = LocalSocketFile::bind(dead, path_);
  ASSERT_TRUE(left) << left.error();
  ::close(dead);
  sockets_.clear();
  const int living = open();
  const auto file = LocalSocketFile::bind(living, path_);
  ASSERT_TRUE(file) << file.error();
  EXPECT_EQ(::listen(living, 1), 0);
}

TEST_F(LocalSocket, OfAnotherHostIsNotTakenAway) {
  auto first = std::make_unique<LocalSocketFile>(*LocalSocketFile::bind(open(), path_));
  fs::rename(path_, folder_.path() / "first");  // keeps its inode from being used again
  const auto second = LocalSocketFile::bind(open(), path_);
  ASSERT_TRUE(second) << second.error();
  first.reset();
  EXPECT_TRUE(fs::exists(path_));
}

TEST_F(LocalSocket, OfALivingHostIsNotTaken) {
  const int living = open();
  const auto first = LocalSocketFile::bind(living, path_);
  ASSERT_TRUE(first) << first.error();
  ASSERT_EQ(::listen(living, 1), 0);
  const auto second = LocalSocketFile::bind(open(), path_);
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error(), HasSubstr("another host listens on "));
  EXPECT_TRUE(fs::exists(path_));
}

TEST_F(LocalSocket, AFileThatIsNoSocketIsLeftAlone) {
  std::ofstream(path_) << "mine";
  const auto file = LocalSocketFile::bind(open(), path_);
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error(), HasSubstr("is there and is no socket"));
  EXPECT_TRUE(fs::is_regular_file(path_));
}

TEST_F(LocalSocket, APathThatIsTooLongSaysHowLongItMayBe) {
  const auto file = LocalSocketFile::bind(open(), folder_.path() / std::string(100, 'x'));
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error(), HasSubstr("the path of a socket at most 107"));
}

TEST_F(LocalSocket, AFolderThatIsMissingSaysSo) {
  const auto file = LocalSocketFile::bind(open(), folder_.path() / "none" / "muster.sock");
  ASSERT_FALSE(file);
  EXPECT_THAT(file.error(), HasSubstr("cannot be made: No such file or directory"));
}

}  // namespace
}  // namespace muster::host
