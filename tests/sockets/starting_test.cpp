// What keeps a host from starting: one sentence and the exit code of docs/configuration.md.
#include "served.hpp"

#include "support/contents.hpp"

#include <gmock/gmock.h>

#include <sys/wait.h>

#include <cstdlib>

namespace muster::sockets {
namespace {

using ::testing::HasSubstr;

struct Ended {
  int code = -1;
  std::string said;
};

class Starting : public ::testing::Test {
 protected:
  // `muster serve` with the embedded configuration and one more plugin.
  Ended serve_with(const std::string& library, const std::string& sets = "") {
    const auto file = with_assignor(folder_.path(), library, R"(["uniform"])");
    const std::string log = (folder_.path() / "log").string();
    const std::string command = MUSTER_EXECUTABLE " serve " + file.string() +
                                " --set listener.bind=127.0.0.1:0 --set host.data_dir=" +
                                (folder_.path() / "data").string() + " " + sets + " >" + log +
                                " 2>&1";
    const int status = std::system(command.c_str());  // NOLINT(concurrency-mt-unsafe)
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, testing::contents(log)};
  }
  static std::string bad(const std::string& name) {
    return MUSTER_BAD_PLUGINS "/" + name + "/" + name + ".so";
  }

  ScratchFolder folder_;
};

TEST_F(Starting, APluginThatThrowsWhenItIsCreatedIsNamed) {
  const Ended ended = serve_with(bad("create_throws"));
  EXPECT_EQ(ended.code, 1) << ended.said;
  EXPECT_THAT(ended.said, HasSubstr("plugin 'mine'"));
  EXPECT_THAT(ended.said, HasSubstr("it threw"));
}

TEST_F(Starting, APluginThatIsNotThereIsRefused) {
  const Ended ended = serve_with("/nowhere/x.so");
  EXPECT_EQ(ended.code, 4) << ended.said;
  EXPECT_THAT(ended.said, HasSubstr("/nowhere/x.so does not exist"));
}

TEST_F(Starting, AnUnknownOptionIsToldWithTheNearestName) {
  const Ended ended = serve_with(bad("assign_sleeps"), "--set assignor.wait.mss=1");
  EXPECT_EQ(ended.code, 3) << ended.said;
  EXPECT_THAT(ended.said, HasSubstr("did you mean 'assignor.wait.ms'?"));
}

TEST_F(Starting, APortThatIsTakenIsNamed) {
  const Served other;
  const std::string taken = "127.0.0.1:" + std::to_string(other.port());
  for (const char* const what : {"listener.bind", "admin.bind"}) {
    const Ended ended =
        serve_with(bad("assign_sleeps"), std::string("--set ") + what + "=" + taken);
    EXPECT_EQ(ended.code, 1) << ended.said;
    EXPECT_THAT(ended.said, HasSubstr(taken));
  }
}

TEST_F(Starting, ADataFolderThatIsInUseIsToldWithWhoHoldsIt) {
  const Served other;
  const Ended ended =
      serve_with(bad("assign_sleeps"), "--set host.data_dir=" + other.data_dir().string());
  EXPECT_EQ(ended.code, 1) << ended.said;
  EXPECT_THAT(ended.said,
              HasSubstr("the data folder " + other.data_dir().string() +
                        " is in use by the host with pid " + std::to_string(other.pid())));
}

TEST_F(Starting, AHostThatKeepsNothingServesBesideAnotherInItsFolder) {
  const Served other;
  const Served beside({"bind.store=memory", "log.storage=memory",
                       "host.data_dir=" + other.data_dir().string()});
  EXPECT_TRUE(beside.answers());
  EXPECT_TRUE(std::filesystem::is_socket(other.data_dir() / "muster.sock"));
}

TEST_F(Starting, AnotherNumberOfShardsIsToldWithWhatKeepsTheOld) {
  const std::string folder = "host.data_dir=" + (folder_.path() / "data").string();
  {
    const Served first({folder, "offsets.topic.num.partitions=3"});
  }
  const Ended ended =
      serve_with(bad("assign_sleeps"), "--set offsets.topic.num.partitions=4 --set " + folder);
  EXPECT_EQ(ended.code, 1) << ended.said;
  EXPECT_THAT(ended.said, HasSubstr("was made with 3 shards, not with 4; "
                                    "set offsets.topic.num.partitions to the number"));
}

}  // namespace
}  // namespace muster::sockets
