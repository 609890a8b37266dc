// The child process: what it is asked, what its end means, what is remembered.
#include "plugins/probe.hpp"

#include "fixtures.hpp"
#include "support/scratch_folder.hpp"

#include <gmock/gmock.h>

#include <sys/stat.h>

namespace muster::host {
namespace {

using namespace std::chrono_literals;
using ::testing::EndsWith;
using ::testing::HasSubstr;

class Probe : public ::testing::Test {
 protected:
  // A program in the place of muster that behaves as the script says.
  std::string with_program(const std::string& script, std::chrono::milliseconds patience = 5s) {
    const auto file = folder_.write("program", "#!/bin/sh\n" + script + "\n");
    ::chmod(file.c_str(), 0755);
    const auto result = probe_in_child({file, "/x/lib.so", patience});
    return result ? "" : result.error();
  }

  muster::testing::ScratchFolder folder_;
};

TEST_F(Probe, IsAskedWithTheLibrarysName) {
  EXPECT_EQ(with_program("test \"$1 $2 $3 $4\" = 'plugin probe --here /x/lib.so' || exit 9\n"
                         "echo muster-probe entry; echo muster-probe passed"),
            "");
}

TEST_F(Probe, PassesOnlyWithItsLastWordAndCodeZero) {
  EXPECT_EQ(with_program("exit 0"),
            "/x/lib.so: the process that tried it ended the process that tried it (exit code 0)");
  EXPECT_EQ(with_program("echo muster-probe entry; exit 0"),
            "/x/lib.so: its entry ended the process that tried it (exit code 0)");
  EXPECT_THAT(with_program("echo muster-probe passed; exit 3"), HasSubstr("(exit code 3)"));
}

TEST_F(Probe, WhatThePluginPrintsIsNoWordOfTheProbe) {
  EXPECT_EQ(with_program("echo muster-probe entry; echo hello; echo ' muster-probe refused x'\n"
                         "echo muster-probe passed"),
            "");
}

TEST_F(Probe, CrashNamesTheSignal) {
  EXPECT_EQ(with_program("echo 'muster-probe create a'; kill -SEGV $$"),
            "/x/lib.so: its create of 'a' crashed (Segmentation fault) when it was tried in a "
            "process of its own");
}

TEST_F(Probe, HangIsKilled) {
  EXPECT_EQ(with_program("echo muster-probe entry; exec sleep 600", 50ms),
            "/x/lib.so: its entry hung for 50 ms when it was tried in a process of its own");
}

TEST_F(Probe, HangBehindAClosedOutputIsKilledToo) {
  EXPECT_EQ(with_program("echo muster-probe entry; exec sleep 600 >&-", 50ms),
            "/x/lib.so: its entry hung for 50 ms when it was tried in a process of its own");
}

TEST_F(Probe, EndlessTalkIsBounded) {
  EXPECT_THAT(with_program("echo muster-probe entry; exec cat /dev/zero", 200ms),
              HasSubstr("its entry hung"));
}

TEST_F(Probe, ProgramThatIsNotThereIsSaid) {
  const auto result = probe_in_child({"/nowhere/muster", "/x/lib.so", 5s});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), "/x/lib.so: cannot probe: /nowhere/muster: No such file or directory");
}

TEST_F(Probe, CleanlyFailedCreateIsLeftToTheRealHost) {
  const auto result =
      probe_in_child({MUSTER_PROBE_CHILD, testing::bad_plugin("create_fails"), 10s});
  EXPECT_TRUE(result) << result.error();
}

TEST(ProbeCache, RemembersAcrossObjectsAndForgetsWithoutAFolder) {
  const muster::testing::ScratchFolder folder;
  ProbeCache(folder.path() / "new").add(0x1234);
  EXPECT_TRUE(ProbeCache(folder.path() / "new").knows(0x1234));
  EXPECT_FALSE(ProbeCache(folder.path() / "new").knows(0x1235));

  ProbeCache nowhere{{}};
  nowhere.add(1);
  EXPECT_FALSE(nowhere.knows(1));
}

TEST(ProbeCache, FolderThatCannotBeWrittenIsNoError) {
  const muster::testing::ScratchFolder folder;
  const auto file = folder.write("file", "");
  ProbeCache cache(file);
  cache.add(1);
  EXPECT_FALSE(cache.knows(1));
}

TEST(ContentHash, IsOfTheBytesAndNotOfTheName) {
  const muster::testing::ScratchFolder folder;
  const auto a = content_hash(folder.write("a", "same"));
  const auto b = content_hash(folder.write("b", "same"));
  const auto c = content_hash(folder.write("c", "other"));
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(*a, *b);
  EXPECT_NE(*a, *c);
  EXPECT_THAT(content_hash("/nowhere").error(), EndsWith("No such file or directory"));
}

TEST(ContentHash, IsOfAllOfALongFile) {
  const muster::testing::ScratchFolder folder;
  std::string bytes(std::size_t{1} << 20, 'x');
  const auto a = content_hash(folder.write("a", bytes));
  const auto longer = content_hash(folder.write("b", bytes + 'x'));
  bytes.back() = 'y';
  const auto other = content_hash(folder.write("c", bytes));
  ASSERT_TRUE(a && longer && other);
  EXPECT_NE(*a, *longer);
  EXPECT_NE(*a, *other);
}

}  // namespace
}  // namespace muster::host
