#include "served.hpp"

#include "support/contents.hpp"

#include <muster/protocol/messages/api_versions_request.hpp>
#include <muster/protocol/messages/api_versions_response.hpp>

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace muster::sockets {

using ::muster::testing::contents;

Served::Served(const std::vector<std::string>& sets, const std::filesystem::path& file) {
  start(sets, file);
}

Served::~Served() {
  if (pid_ > 0) {
    EXPECT_EQ(::waitpid(pid_, nullptr, WNOHANG), 0) << "the host ended by itself";
    terminate();
    EXPECT_EQ(wait(), 0);
  }
  if (::testing::Test::HasFailure()) {
    std::fprintf(stderr, "%s\n", contents(folder_.path() / "log").c_str());
  }
  ::close(output_);
}

void Served::start(const std::vector<std::string>& sets, const std::filesystem::path& file) {
  std::vector<std::string> words{MUSTER_EXECUTABLE, "serve"};
  if (!file.empty()) words.push_back(file.string());
  for (const std::string& set :
       {std::string("listener.bind=127.0.0.1:0"), std::string("admin.bind=127.0.0.1:0"),
        "host.data_dir=" + data_dir().string()}) {
    words.insert(words.end(), {"--set", set});
  }
  for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);

  int output[2];
  ASSERT_EQ(::pipe2(output, O_CLOEXEC), 0);
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, (folder_.path() / "log").c_str(),
                                     O_WRONLY | O_CREAT | O_APPEND, 0644);
  const int failed =
      ::posix_spawn(&pid_, MUSTER_EXECUTABLE, &actions, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  ::close(output[1]);
  output_ = output[0];
  ASSERT_EQ(failed, 0);
  read_ports(output_);
  EXPECT_NE(port_, 0) << contents(folder_.path() / "log");
}

// "listening on HOST:PORT", "admin on HOST:PORT".
void Served::read_ports(int output) {
  std::string text;
  char byte = 0;
  while (admin_port_ == 0 && ::read(output, &byte, 1) == 1) {
    text.push_back(byte);
    if (byte != '\n') continue;
    const auto port = static_cast<std::uint16_t>(std::atoi(text.c_str() + text.rfind(':') + 1));
    if (text.starts_with("listening on ")) port_ = port;
    if (text.starts_with("admin on ")) admin_port_ = port;
    text.clear();
  }
}

bool Served::answers() const {
  Client client(port_);
  const auto response =
      client.ask<protocol::ApiVersionsResponse>(protocol::ApiVersionsRequest{}, 0);
  return response.message.error_code == 0 && !response.message.api_keys.empty();
}

double Served::metric(const std::string& name) const {
  const Client client(admin_port_);
  const std::string get = "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
  EXPECT_TRUE(client.send(Bytes(reinterpret_cast<const std::uint8_t*>(get.data()), get.size())));
  const std::string text = client.read_text();
  const std::size_t at = text.find("\n" + name + " ");
  EXPECT_NE(at, std::string::npos) << "no metric " << name;
  return at == std::string::npos ? -1 : std::atof(text.c_str() + at + name.size() + 2);
}

std::string Served::log() const { return contents(folder_.path() / "log"); }

void Served::terminate() const {
  ASSERT_GT(pid_, 0);
  ::kill(pid_, SIGTERM);
}

void Served::kill() {
  ASSERT_GT(pid_, 0);
  ::kill(pid_, SIGKILL);
  EXPECT_EQ(wait(), -SIGKILL);
}

int Served::wait() {
  int status = 0;
  const auto until = std::chrono::steady_clock::now() + patience;
  while (::waitpid(pid_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > until) {
      ADD_FAILURE() << "the host does not end";
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, &status, 0);
      break;
    }
    ::usleep(5000);
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

std::filesystem::path with_assignor(const std::filesystem::path& folder,
                                    const std::filesystem::path& library,
                                    const std::string& assignors) {
  std::string text = contents(MUSTER_EMBEDDED_TOML);
  const std::string known = "group.consumer.assignors = [\"uniform\", \"range\"]";
  const std::size_t at = text.find(known);
  EXPECT_NE(at, std::string::npos);
  text.replace(at, known.size(), "group.consumer.assignors = " + assignors);
  text += "\n[[plugin]]\nname = \"mine\"\npath = \"" + library.string() + "\"\n";
  std::filesystem::path file = folder / "mine.toml";
  std::ofstream(file) << text;
  return file;
}

}  // namespace muster::sockets
