// Writes the fuzz target's seeds: each vector of moderate size, with the bytes that choose its
// message and version before it.
#include "probe.hpp"
#include "vector_file.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>

int main(int argc, char** argv) {
  using namespace muster::protocol::testing;
  if (argc != 2) {
    std::cerr << "usage: protocol_fuzz_seeds FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  std::size_t written = 0;
  for_each_vector([&](const Vector& vector) {
    if (vector.style == "framed" || vector.style == "random" || vector.bytes.size() > 1024) return;
    const Probe* probe = find_probe(vector.message);
    const auto choice = static_cast<std::size_t>(probe - all_probes().data());
    std::ofstream out(
        folder / (vector.message + "-" + std::to_string(vector.version) + "-" + vector.style),
        std::ios::binary);
    out.put(static_cast<char>(choice >> 8)).put(static_cast<char>(choice & 0xFF));
    out.put(static_cast<char>(vector.version - probe->min_version));
    out.write(reinterpret_cast<const char*>(vector.bytes.data()),
              static_cast<std::streamsize>(vector.bytes.size()));
    ++written;
  });
  std::cout << written << " seeds\n";
}
