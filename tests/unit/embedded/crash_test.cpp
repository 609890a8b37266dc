// kill -9 in the middle of appending: what was acknowledged is there. And a disk that is full.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

#include "kit.hpp"

extern char** environ;

namespace muster::embedded::test {
namespace {

// Another process that appends; dead once this returns. Gives the last offset it was acknowledged.
std::int64_t append_and_die(const std::string& folder, int acknowledgements) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::string program = MUSTER_APPENDER;
  std::string argument = folder;
  std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  pid_t child = -1;
  if (posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ) != 0) {
    throw std::runtime_error("no child");
  }
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  std::array<char, 4096> piece{};
  bool killed = false;
  for (;;) {
    const ssize_t count = read(ends[0], piece.data(), piece.size());
    if (count <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(count));
    if (killed || std::ranges::count(text, '\n') < acknowledgements) continue;
    // What it acknowledges until it is dead is read as well.
    killed = kill(child, SIGKILL) == 0;
  }
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!killed) throw std::runtime_error("the child ended by itself");
  text.resize(text.rfind('\n'));
  const auto begin = text.rfind('\n');
  return std::stoll(text.substr(begin == std::string::npos ? 0 : begin + 1));
}

std::int64_t count_records(BrokerRig& rig, std::int64_t end) {
  std::int64_t offset = 0;
  while (offset < end) {
    const auto fetched = rig.ask<protocol::FetchResponse>(fetch_request("t", offset), 12);
    const auto records = fetched->responses.at(0).partitions.at(0).records.value_or(Bytes{});
    auto rest = records;
    while (auto next = protocol::RecordBatchView::first(rest)) {
      if (next->base_offset() != offset) return offset;
      offset += next->last_offset_delta() + 1;
      rest = rest.subspan(next->size());
    }
    if (records.empty()) break;
  }
  return offset;
}

TEST(Crash, LosesNothingThatWasAcknowledged) {
  const ScratchFolder folder;
  std::int64_t acknowledged = -1;
  for (const int more : {1, 50, 500, 2000, 10}) {
    const std::int64_t last = append_and_die(folder.path(), more);
    ASSERT_GT(last, acknowledged);
    acknowledged = last;
  }

  BrokerRig rig({{"log.storage", "disk"}, {"log.dir", folder.path()}});
  const std::int64_t end = list_offset(rig, "t", -1).offset;
  EXPECT_GT(end, acknowledged);
  EXPECT_EQ(count_records(rig, end), end);

  // Its producer as well: one record a sequence number.
  const auto of_sequence = [&](std::int64_t sequence) {
    return produce(rig, "t",
                   batch(1, {.id = 7, .epoch = 0, .sequence = static_cast<int>(sequence)}));
  };
  EXPECT_EQ(of_sequence(end - 1).base_offset, end - 1);
  EXPECT_EQ(of_sequence(end + 1).error_code, protocol::code(Error::out_of_order_sequence_number));
  EXPECT_EQ(of_sequence(end).base_offset, end);
}

TEST(FullDisk, TakesMoreOnceThereIsRoomAndLosesNothing) {
  const ScratchFolder folder;
  std::FILE* const child =
      popen((MUSTER_APPENDER " full '" + folder.path().string() + "'").c_str(), "r");
  ASSERT_NE(child, nullptr);
  std::string said;
  std::array<char, 512> piece{};
  while (std::fgets(piece.data(), piece.size(), child) != nullptr) said += piece.data();
  const int ended = pclose(child);
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == 77) {
    GTEST_SKIP() << "no right to mount a small disk";
  }
  EXPECT_EQ(ended, 0);
  EXPECT_THAT(said, ::testing::HasSubstr("takes no more until there is room"));
  EXPECT_THAT(said, ::testing::EndsWith("\nrefused, as before\ngoes on\n11 more\nall readable\n"));
}

}  // namespace
}  // namespace muster::embedded::test
