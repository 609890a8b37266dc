// Where the commands look for a host, and what they say when none answers there.
#include "command.hpp"
#include "served.hpp"

#include <gmock/gmock.h>

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <fstream>

namespace muster::commands {
namespace {

namespace fs = std::filesystem;
using sockets::ScratchFolder;
using sockets::Served;
using ::testing::HasSubstr;

// A port on which somebody listens, who takes connections and never answers, or nobody.
class Mute {
 public:
  Mute() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(::bind(socket_, generic, size), 0);
    EXPECT_EQ(::getsockname(socket_, generic, &size), 0);
    server_ = "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
  }
  ~Mute() { ::close(socket_); }
  Mute(const Mute&) = delete;
  Mute& operator=(const Mute&) = delete;

  void listen() const { EXPECT_EQ(::listen(socket_, 4), 0); }
  [[nodiscard]] const std::string& server() const { return server_; }

 private:
  int socket_;
  std::string server_;
};

TEST(Commands, ReachAHostOverTcpToo) {
  const Served host;
  const Ran listed =
      muster({"topic", "list", "--server", "localhost:" + std::to_string(host.port())});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_EQ(listed.out, "no topics\n");
}

TEST(Commands, FindTheDataFolderInTheConfigurationFile) {
  const Served host;
  const ScratchFolder folder;
  const fs::path file = folder.path() / "mine.toml";
  std::ofstream(file) << "[[plugin]]\nname = \"x\"\nid = \"x\"\n[bind]\nstore = \"x\"\n"
                      << "broker = \"x\"\n[host]\ndata_dir = \"" << host.data_dir().string()
                      << "\"\n";
  const Ran listed = muster({"topic", "list", "--config-file", file.string()});
  EXPECT_EQ(listed.code, 0) << listed.err;
}

TEST(Commands, SayThatNobodyListens) {
  const Mute nobody;
  const Ran listed = muster({"group", "list", "--server", nobody.server()});
  EXPECT_EQ(listed.code, 5);
  EXPECT_EQ(listed.err, "nobody listens on " + nobody.server() + "\n");
}

TEST(Commands, WaitNoLongerThanTheyAreTold) {
  const Mute mute;
  mute.listen();
  const Ran listed = muster({"group", "list", "--server", mute.server(), "--timeout", "1"});
  EXPECT_EQ(listed.code, 5);
  EXPECT_EQ(listed.err, "no answer from " + mute.server() + " within 1 s\n");
}

TEST(Commands, SayThatWhatListensIsNoKafka) {
  const Served host;
  const std::string admin = "127.0.0.1:" + std::to_string(host.admin_port());
  const Ran listed = muster({"topic", "list", "--server", admin});
  EXPECT_EQ(listed.code, 5);
  EXPECT_THAT(listed.err, HasSubstr(admin));
}

TEST(Commands, SayThatAHostIsGoneOnceItHasEnded) {
  Served host;
  const fs::path data = host.data_dir();
  EXPECT_TRUE(fs::exists(data / "muster.sock"));
  host.terminate();
  EXPECT_EQ(host.wait(), 0);
  EXPECT_FALSE(fs::exists(data / "muster.sock"));
  const Ran listed = muster({"topic", "list", "--data-dir", data.string()});
  EXPECT_EQ(listed.code, 5);
  EXPECT_THAT(listed.err, HasSubstr("no host is running in '" + data.string() + "'; start one"));
}

TEST(Commands, ReachTheHostThatFollowsAKilledOne) {
  Served host;
  const fs::path data = host.data_dir();
  host.kill();
  EXPECT_TRUE(fs::exists(data / "muster.sock"));
  const Ran gone = muster({"topic", "list", "--data-dir", data.string()});
  EXPECT_EQ(gone.code, 5);
  EXPECT_THAT(gone.err, HasSubstr("no host is running in '" + data.string() + "' any more"));

  const Served next({"host.data_dir=" + data.string()});
  const Ran listed = muster({"topic", "list", "--data-dir", data.string()});
  EXPECT_EQ(listed.code, 0) << listed.err;
}

TEST(Commands, AHostWhoseFolderHasALongPathServesWithoutTheSocket) {
  const ScratchFolder folder;
  const fs::path deep = folder.path() / std::string(100, 'x');
  const Served host({"host.data_dir=" + deep.string()});
  EXPECT_TRUE(host.answers());
  EXPECT_THAT(host.log(), HasSubstr("no local socket"));
  EXPECT_FALSE(fs::exists(deep / "muster.sock"));
}

TEST(Commands, TheSocketIsOnlyForTheUserOfTheHost) {
  const Served host;
  EXPECT_EQ(fs::status(host.data_dir() / "muster.sock").permissions(),
            fs::perms::owner_read | fs::perms::owner_write);
}

}  // namespace
}  // namespace muster::commands
