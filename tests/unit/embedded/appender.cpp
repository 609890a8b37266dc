// Appends to a topic of a durable broker, one record after the other, and writes the offset of each
// that was acknowledged to its standard output, until somebody kills it.
//   embedded_appender FOLDER        for ever
//   embedded_appender full FOLDER   to a log on a small disk until that is full, and once there is
//                                   room again; what was said, a line
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <thread>

#include "kit.hpp"
#include "log/disk_storage.hpp"

namespace muster::embedded::test {
namespace {

void append_for_ever(const std::string& folder) {
  BrokerRig rig({{"log.storage", "disk"}, {"log.dir", folder}});
  if (list_offset(rig, "t", -1).error_code != 0) create(rig, "t", 1, {{"retention.ms", "-1"}});
  for (;;) {
    const std::int64_t end = list_offset(rig, "t", -1).offset;
    const auto produced =
        produce(rig, "t", batch(1, {.id = 7, .epoch = 0, .sequence = static_cast<int>(end)}));
    if (produced.error_code != 0) _exit(1);
    const std::string line = std::to_string(produced.base_offset) + '\n';
    if (write(1, line.data(), line.size()) < 0) _exit(1);
  }
}

Stored<void> append(PartitionLog& log) {
  const std::int64_t at = log.offsets().end;
  const auto bytes = std::make_shared<Buffer>(100'000, static_cast<std::uint8_t>(at));
  return log.append({{bytes, Bytes(*bytes)}, {at, at, at}, nullptr});
}

int fill_a_disk(const std::string& folder) {
  constexpr int skipped = 77;
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=64m") != 0) {
    return skipped;
  }
  const std::string ballast = folder + "/ballast";
  std::ofstream(ballast) << std::string(std::size_t{40} << 20, 'x');
  auto storage = *DiskStorage::open(folder + "/log", protocol::Uuid{});
  auto log = storage->open(protocol::Uuid{}, 0, 0)->log;
  Stored<void> done;
  while (done) done = append(*log);
  const std::int64_t end = log->offsets().end;
  std::printf("%s\n", done.error().what.c_str());
  const auto again = append(*log);
  std::printf("%s, %s\n", again ? "taken" : "refused",
              log->offsets().end == end ? "as before" : "changed");
  unlink(ballast.c_str());
  // RocksDB looks for room every five seconds.
  for (int i = 0; i < 600 && !(done = append(*log)); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  for (int i = 0; i < 10 && done; ++i) done = append(*log);
  std::printf("%s\n", done ? "goes on" : "refused");
  log.reset();
  storage.reset();
  storage = *DiskStorage::open(folder + "/log", protocol::Uuid{});
  log = storage->open(protocol::Uuid{}, 0, 0)->log;
  std::printf("%lld more\n", static_cast<long long>(log->offsets().end - end));
  std::int64_t readable = 0;
  while (readable < log->offsets().end) {
    const Buffer bytes = bytes_of(log->read({readable, log->offsets().end, 1, true}));
    if (bytes.size() != 100'000 || bytes.back() != static_cast<std::uint8_t>(readable)) break;
    ++readable;
  }
  std::printf("%s\n", readable == log->offsets().end ? "all readable" : "not all readable");
  return 0;
}

}  // namespace
}  // namespace muster::embedded::test

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "full") {
    return muster::embedded::test::fill_a_disk(argv[2]);
  }
  if (argc != 2) return 2;
  muster::embedded::test::append_for_ever(argv[1]);
}
