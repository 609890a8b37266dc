// Appends to a topic of a durable broker, one record after the other, and writes the offset of each
// that was acknowledged to its standard output, until somebody kills it.
#include <unistd.h>

#include <string>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

void append_for_ever(const std::string& folder) {
  BrokerRig rig({{"log.storage", "rocksdb"}, {"log.dir", folder}});
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

}  // namespace
}  // namespace muster::embedded::test

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  muster::embedded::test::append_for_ever(argv[1]);
}
