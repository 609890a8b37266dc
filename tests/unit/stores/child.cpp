#include "child.hpp"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <stdexcept>

namespace muster::stores {

Child::Child(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{MUSTER_STORE_CHILD};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> raw;
  for (std::string& word : words) raw.push_back(word.data());
  raw.push_back(nullptr);
  int output[2];
  if (::pipe2(output, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  const int failed =
      ::posix_spawn(&pid_, MUSTER_STORE_CHILD, &actions, nullptr, raw.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(output[1]);
  output_ = output[0];
  if (failed != 0) throw std::runtime_error("store_child does not start");
}

Child::~Child() {
  if (pid_ > 0) {
    kill();
    wait();
  }
  ::close(output_);
}

std::string Child::line() {
  std::string text;
  char byte = 0;
  while (::read(output_, &byte, 1) == 1) {
    if (byte == '\n') return text;
    text.push_back(byte);
  }
  return text;
}

std::vector<std::string> Child::rest() {
  std::vector<std::string> lines;
  for (std::string text = line(); !text.empty(); text = line()) lines.push_back(text);
  return lines;
}

void Child::kill() { ::kill(pid_, SIGKILL); }

int Child::wait() {
  int status = 0;
  ::waitpid(pid_, &status, 0);
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace muster::stores
