// How long a server takes from exec to its first answer, of ApiVersions.
//
//   start_time PORT COMMAND [ARGUMENT]...
//
// Starts the command, asks 127.0.0.1:PORT every millisecond until it answers, ends the command and
// waits for its end. Prints one JSON line. What the command prints goes to standard error.
#include "client/kafka_client.hpp"
#include "client/measures.hpp"

#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/api_versions_response.hpp>

#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>

namespace muster::bench {
namespace {

constexpr std::int16_t version = 2;
constexpr double longest_seconds = 120;

pid_t start(char** command) {
  const pid_t pid = ::fork();
  if (pid != 0) return pid;
  ::dup2(STDERR_FILENO, STDOUT_FILENO);
  ::execvp(command[0], command);
  ::_exit(127);
}

bool answers(std::uint16_t port) {
  try {
    KafkaConnection connection("127.0.0.1", port);
    protocol::Buffer answer;
    const auto told = connection.ask<protocol::ApiVersionsResponse>(protocol::ApiVersionsRequest{},
                                                                    version, answer);
    return told.error_code == 0;
  } catch (const std::exception&) {
    return false;
  }
}

int measure(std::uint16_t port, char** command) {
  const auto began = Clock::now();
  const pid_t pid = start(command);
  bool answered = false;
  bool ended = false;
  while (!answered && !ended && seconds_since(began) < longest_seconds) {
    answered = answers(port);
    ended = !answered && ::waitpid(pid, nullptr, WNOHANG) == pid;
    if (!answered) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const double took = seconds_since(began);
  const double cpu = cpu_seconds(pid);
  if (!ended) {
    ::kill(pid, SIGTERM);
    ::waitpid(pid, nullptr, 0);
  }
  if (!answered) {
    std::cerr << "start_time: no answer\n";
    return 1;
  }
  std::printf("{\"first_answer_ms\":%.0f,\"server_cpu_ms\":%.0f}\n", took * 1000, cpu * 1000);
  return 0;
}

}  // namespace
}  // namespace muster::bench

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: start_time PORT COMMAND [ARGUMENT]...\n";
    return 2;
  }
  return muster::bench::measure(static_cast<std::uint16_t>(std::atoi(argv[1])), argv + 2);
}
