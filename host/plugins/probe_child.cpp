// probe_in_child: starts the child, waits, and puts what happened into a sentence.
#include "plugins/probe.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <thread>

extern char** environ;

namespace muster::host {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// A loaded machine may take its time to start a process; that is not the plugin's fault.
constexpr std::chrono::seconds patience_to_start{20};
constexpr std::size_t most_output = 65536;
constexpr std::string_view prefix = "muster-probe ";

struct Child {
  pid_t pid = -1;
  int output = -1;
};

std::expected<Child, std::string> spawn(const ProbeRequest& request) {
  std::array<int, 2> pipe_ends{};
  if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) {
    return std::unexpected(std::string("cannot probe: ") + ::strerror(errno));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, pipe_ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  const std::string program = request.executable.string();
  const std::string library = request.library.string();
  std::array<const char*, 6> arguments{program.c_str(), "plugin",        "probe",
                                       "--here",        library.c_str(), nullptr};
  Child child;
  const int error = ::posix_spawn(&child.pid, program.c_str(), &actions, nullptr,
                                  const_cast<char* const*>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  ::close(pipe_ends[1]);
  child.output = pipe_ends[0];
  if (error == 0) return child;
  ::close(child.output);
  return std::unexpected("cannot probe: " + program + ": " + ::strerror(error));
}

// How far the child came, by its own words.
struct Progress {
  std::string stage;    // "entry", "create NAME", "passed", "refused"; empty: not even started
  std::string message;  // of "refused"
};

class Watch {
 public:
  explicit Watch(std::chrono::milliseconds patience) : patience_(patience) {}

  // Reads until the child closes its output. False: time is up.
  bool read_to_end(int output) {
    Clock::time_point deadline = Clock::now() + patience_to_start;
    while (true) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
      if (left.count() <= 0) return false;
      pollfd ready{output, POLLIN, 0};
      const int count = ::poll(&ready, 1, static_cast<int>(left.count()));
      if (count < 0 && errno != EINTR) return true;
      if (count <= 0) continue;
      std::array<char, 4096> buffer;
      const ssize_t size = ::read(output, buffer.data(), buffer.size());
      if (size <= 0) return true;
      const bool had_started = !progress_.stage.empty();
      take({buffer.data(), static_cast<std::size_t>(size)});
      if (!had_started && !progress_.stage.empty()) deadline = Clock::now() + patience_;
    }
  }

  [[nodiscard]] const Progress& progress() const { return progress_; }

 private:
  void take(std::string_view bytes) {
    if (pending_.size() + bytes.size() > most_output) pending_.clear();
    pending_ += bytes;
    for (std::size_t end = 0; (end = pending_.find('\n')) != std::string::npos;) {
      take_line(std::string_view(pending_).substr(0, end));
      pending_.erase(0, end + 1);
    }
  }

  void take_line(std::string_view line) {
    if (!line.starts_with(prefix)) return;
    line.remove_prefix(prefix.size());
    if (line.starts_with("refused ")) {
      progress_ = {"refused", std::string(line.substr(8))};
    } else {
      progress_ = {std::string(line), ""};
    }
  }

  std::chrono::milliseconds patience_;
  std::string pending_;
  Progress progress_;
};

// "its entry", "its create of 'x'".
std::string culprit(const Progress& progress) {
  if (progress.stage.starts_with("create ")) {
    return "its create of '" + progress.stage.substr(7) + "'";
  }
  return progress.stage == "entry" ? "its entry" : "the process that tried it";
}

std::string how_it_ended(const Progress& progress, int status) {
  const std::string who = culprit(progress);
  if (WIFSIGNALED(status)) {
    return who + " crashed (" + ::strsignal(WTERMSIG(status)) +
           ") when it was tried in a process of its own";
  }
  return who + " ended the process that tried it (exit code " +
         std::to_string(WEXITSTATUS(status)) + ")";
}

// A child may close its output and live on. nullopt: it had to be killed.
std::optional<int> wait_for(pid_t pid, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds pause{2};
  const Clock::time_point deadline = Clock::now() + patience;
  int status = 0;
  while (Clock::now() < deadline) {
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid) return status;
    if (ended < 0 && errno != EINTR) return std::nullopt;
    std::this_thread::sleep_for(pause);
  }
  ::kill(pid, SIGKILL);
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return std::nullopt;
}

std::string seconds_text(std::chrono::milliseconds time) {
  const auto count = time.count();
  return count % 1000 == 0 ? std::to_string(count / 1000) + " s" : std::to_string(count) + " ms";
}

}  // namespace

std::expected<void, std::string> probe_in_child(const ProbeRequest& request) {
  const auto child = spawn(request);
  if (!child) return std::unexpected(request.library.string() + ": " + child.error());
  Watch watch(request.patience);
  const bool closed = watch.read_to_end(child->output);
  const auto status = wait_for(child->pid, closed ? request.patience : 0ms);
  ::close(child->output);
  const Progress& progress = watch.progress();
  const std::string library = request.library.string() + ": ";
  if (!status) {
    return std::unexpected(library + culprit(progress) + " hung for " +
                           seconds_text(request.patience) +
                           " when it was tried in a process of its own");
  }
  if (progress.stage == "refused") return std::unexpected(progress.message);
  if (progress.stage == "passed" && WIFEXITED(*status) && WEXITSTATUS(*status) == 0) {
    return {};
  }
  return std::unexpected(library + how_it_ended(progress, *status));
}

}  // namespace muster::host
