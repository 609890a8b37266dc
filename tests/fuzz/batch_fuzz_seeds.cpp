// Writes the seeds of batch_fuzz: a small batch in every codec.
#include "kit.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>

int main(int argc, char** argv) {
  using muster::protocol::Compression;
  using namespace muster::embedded::test;
  if (argc != 2) {
    std::cerr << "usage: batch_fuzz_seeds FOLDER\n";
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  for (int codec = 0; codec <= 4; ++codec) {
    const Buffer plain = batch(3, {7, 0, 0});
    const Buffer bytes = codec == 0 ? plain : compressed(plain, static_cast<Compression>(codec));
    std::ofstream out(folder / std::to_string(codec), std::ios::binary);
    out.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  }
}
