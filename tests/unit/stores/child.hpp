// store_child as a process of its own: store_child.cpp has its commands.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace muster::stores {

class Child {
 public:
  explicit Child(const std::vector<std::string>& arguments);
  // Kills it where it still runs.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // The next line it says; empty: it says nothing more.
  std::string line();
  // All that it says from here on.
  std::vector<std::string> rest();
  void kill();
  // Its exit code; below 0: a signal ended it.
  int wait();

 private:
  pid_t pid_ = -1;
  int output_ = -1;
};

}  // namespace muster::stores
