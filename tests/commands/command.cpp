#include "command.hpp"

#include "served.hpp"
#include "support/contents.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace muster::commands {

using ::muster::testing::contents;

nlohmann::json Ran::json() const {
  auto read = nlohmann::json::parse(out, nullptr, false);
  EXPECT_FALSE(read.is_discarded()) << out << err;
  return read;
}

Ran muster(const std::vector<std::string>& arguments) {
  const sockets::ScratchFolder folder;
  std::vector<std::string> words{MUSTER_EXECUTABLE};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  const auto out = folder.path() / "out";
  const auto err = folder.path() / "err";
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT,
                                     0644);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT,
                                     0644);
  pid_t pid = -1;
  const int failed =
      ::posix_spawn(&pid, MUSTER_EXECUTABLE, &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  EXPECT_EQ(failed, 0);
  Ran ran;
  int status = 0;
  if (failed == 0 && ::waitpid(pid, &status, 0) == pid && WIFEXITED(status)) {
    ran.code = WEXITSTATUS(status);
  }
  ran.out = contents(out);
  ran.err = contents(err);
  return ran;
}

}  // namespace muster::commands
