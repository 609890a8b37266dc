// The host's data folder: one host at a time, a place in it for who asks.
#include "service/data_folder.hpp"
#include "net/io_pool.hpp"
#include "service/services.hpp"
#include "support/scratch_folder.hpp"

#include <gmock/gmock.h>

#include <unistd.h>

#include <fstream>

namespace muster::host {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

class DataFolderTest : public ::testing::Test {
 protected:
  muster::testing::ScratchFolder folder_;
  fs::path scratch_ = folder_.path();
};

TEST_F(DataFolderTest, IsNotMadeBeforeSomebodyAsks) {
  DataFolder folder(scratch_ / "data");
  EXPECT_FALSE(fs::exists(scratch_ / "data"));
  const auto given = folder.folder_of("mine");
  ASSERT_TRUE(given) << given.error();
  EXPECT_EQ(*given, scratch_ / "data" / "mine");
  EXPECT_TRUE(fs::is_directory(*given));
  EXPECT_EQ(folder.folder_of("mine"), given);
  EXPECT_NE(folder.folder_of("other"), given);
  EXPECT_EQ(folder.fault(), "");
}

TEST_F(DataFolderTest, IsOneHostsAloneUntilThatIsGone) {
  auto first = std::make_unique<DataFolder>(scratch_);
  ASSERT_TRUE(first->folder_of("a"));
  DataFolder second(scratch_);
  const auto refused = second.folder_of("a");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error(), "the data folder " + scratch_.string() +
                                 " is in use by the host with pid " + std::to_string(::getpid()) +
                                 "; stop that one, or give this one another host.data_dir");
  EXPECT_EQ(second.fault(), refused.error());
  first.reset();
  EXPECT_TRUE(second.folder_of("a"));
}

TEST_F(DataFolderTest, IsFreeWhereAKilledHostLeftItsLock) {
  std::ofstream(scratch_ / ".lock") << "1\n";
  DataFolder folder(scratch_);
  EXPECT_TRUE(folder.folder_of("a"));
}

TEST_F(DataFolderTest, ThatCannotBeMadeIsTold) {
  std::ofstream(scratch_ / "file") << "x";
  DataFolder folder(scratch_ / "file" / "data");
  const auto refused = folder.folder_of("a");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error(), AllOf(HasSubstr("the data folder " + scratch_.string()),
                                     HasSubstr("cannot be written: Not a directory")));
}

TEST_F(DataFolderTest, EachPluginIsGivenItsOwn) {
  SystemClock clock;
  Log log({});
  Metrics metrics;
  Metadata metadata;
  DataFolder folder(scratch_);
  Services services({&clock, &log, &metrics, &metadata, 0, {}, &folder});
  for (const std::string name : {"a", "b"}) {
    const muster_host* host = services.host_for(name);
    const auto* node = static_cast<const muster_node_v1*>(
        host->get_service(host->self, to_abi(std::string_view(MUSTER_SERVICE_NODE))));
    BytesCollector path;
    EXPECT_EQ(node->data_folder(node->self, path.sink()), MUSTER_OK);
    EXPECT_EQ(path.text(), (scratch_ / name).string());
  }
}

TEST_F(DataFolderTest, AHostWithoutOneSaysSo) {
  Services services({});
  BytesCollector path;
  EXPECT_EQ(services.node()->data_folder(services.node()->self, path.sink()), MUSTER_UNAVAILABLE);
}

}  // namespace
}  // namespace muster::host
