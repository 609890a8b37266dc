// A process that uses a durable store, for tests that do to it what one does not do to oneself:
//   store_child commit FOLDER SYNC   commits to four shards until it is killed; a line for each
//                                    acknowledged batch: SHARD NUMBER
//   store_child hold FOLDER          opens it, says "open" and stays until it is killed
//   store_child as-nobody FOLDER     opens it without any rights and says what the store says
//   store_child bounded FOLDER       commits until files of 1 MB are full; what was said, a line
//                                    each: the code, the log, how many batches were acknowledged
//   store_child full FOLDER          the same on a disk of its own that is full, then makes space;
//                                    and what the next load and commit say. Ends with 77 where
//                                    nothing can be mounted.
#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <fstream>
#include <thread>

#include "store_rig.hpp"

namespace muster::stores {
namespace {

constexpr int skipped = 77;
constexpr std::uint32_t shards = 4;
constexpr std::size_t value_bytes = 2000;
const StoreKind kind{"rocksdb", true};

// One write a line, so that it is whole or not there.
void say(const std::string& text) {
  const std::string line = text + "\n";
  (void)!::write(STDOUT_FILENO, line.data(), line.size());
}

// Batch n is the records "last" and "n", numbered 2n and 2n + 1.
NewRecords batch(std::uint64_t number) {
  return {{"last", std::to_string(number)},
          {std::to_string(number), std::string(value_bytes, 'x')}};
}

int commit(Store& store) {
  store.open("groups", shards);
  std::vector<std::jthread> threads;
  for (std::uint32_t shard = 0; shard < shards; ++shard) {
    threads.emplace_back([&store, shard] {
      const std::uint64_t epoch = store.epoch(shard);
      const auto records = store.loaded(epoch, shard);
      for (std::uint64_t number = records.empty() ? 0 : records.back().sequence / 2 + 1;;
           ++number) {
        if (store.commit(epoch, 2 * number, batch(number), shard) != MUSTER_OK) return;
        say(std::to_string(shard) + " " + std::to_string(number));
      }
    });
  }
  return 0;
}

// How many batches of a shard were acknowledged until one failed.
std::uint64_t fill(Store& store) {
  store.open("groups", 1);
  std::uint64_t number = 0;
  muster_code code = MUSTER_OK;
  while ((code = store.commit(store.epoch(), 2 * number, batch(number))) == MUSTER_OK) ++number;
  say(std::to_string(code));
  say(store.log().empty() ? "nothing was logged" : store.log().back().second);
  say(std::to_string(number));
  return number;
}

int bounded(const Store::Settings& settings) {
  std::signal(SIGXFSZ, SIG_IGN);
  const rlimit most{1U << 20, 1U << 20};
  ::setrlimit(RLIMIT_FSIZE, &most);
  Store store(kind, settings);
  fill(store);
  return 0;
}

int full(const Store::Settings& settings) {
  const std::string folder = settings.folder.string();
  if (::unshare(CLONE_NEWNS) != 0 ||
      ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      ::mount("tmpfs", folder.c_str(), "tmpfs", 0, "size=24m") != 0) {
    return skipped;
  }
  const std::string ballast = folder + "/ballast";
  std::ofstream(ballast) << std::string(std::size_t{20} << 20, 'x');
  Store store(kind, {settings.folder / "store", "always"});
  const std::uint64_t acknowledged = fill(store);
  std::vector<Loaded> records;
  if (store.load(store.epoch(), records) == MUSTER_OK) store.commit(store.epoch(), 1, {});
  ::unlink(ballast.c_str());
  muster_code code = MUSTER_UNAVAILABLE;
  // RocksDB looks for room every five seconds.
  for (int i = 0; i < 300 && code != MUSTER_OK; ++i) {
    records.clear();
    code = store.load(store.epoch(), records);
    if (code != MUSTER_OK) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  say(std::to_string(code) + " " + store.complaint);
  say(std::to_string(records.size() - 1));  // "last" is one of them
  say(std::to_string(store.commit(store.epoch(), 2 * acknowledged + 2, batch(acknowledged + 1))));
  return 0;
}

int as_nobody(const Store::Settings& settings) {
  export_of(kind);  // while it can be read
  const bool root = ::geteuid() == 0;
  if (root && ::seteuid(65534) != 0) return skipped;
  {
    const Store store(kind, settings);
    say(store.created() ? "open" : store.complaint);
  }
  // What sanitizers do at the end needs the rights of the beginning.
  return root && ::seteuid(0) != 0 ? 1 : 0;
}

int run(const std::string& command, const Store::Settings& settings) {
  if (command == "bounded") return bounded(settings);
  if (command == "full") return full(settings);
  if (command == "as-nobody") return as_nobody(settings);
  Store store(kind, settings);
  if (command == "commit") return commit(store);
  say(store.created() ? "open" : store.complaint);
  if (command == "hold") ::pause();
  return 0;
}

}  // namespace
}  // namespace muster::stores

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  return muster::stores::run(argv[1], {argv[2], argc > 3 ? argv[3] : "always"});
}
