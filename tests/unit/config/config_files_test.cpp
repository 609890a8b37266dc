// The configuration files that Muster ships.
#include "config/host_config.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

namespace muster::host {

extern const std::string_view builtin_config;

namespace {

const std::filesystem::path folder = std::filesystem::path(MUSTER_SOURCE_DIR) / "config";

TEST(ConfigFiles, EachLoads) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    const auto config = load_config({entry.path(), {}});
    EXPECT_TRUE(config) << config.error().to_string();
  }
  EXPECT_GE(files, 2);
}

TEST(ConfigFiles, EmbeddedIsWhatIsBuiltIn) {
  std::ifstream in(folder / "embedded.toml");
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), builtin_config);
}

TEST(ConfigFiles, EmbeddedListensOnLoopbackOnly) {
  const auto config = load_config({std::nullopt, {}});
  ASSERT_TRUE(config);
  EXPECT_EQ(config->listeners[0].bind.host, "127.0.0.1");
  ASSERT_TRUE(config->admin);
  EXPECT_EQ(config->admin->host, "127.0.0.1");
}

TEST(ConfigFiles, KafkaDefaultsSetsNoOption) {
  const auto config = load_config({folder / "kafka-defaults.toml", {}});
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->options.empty());
  EXPECT_TRUE(config->features.empty());
}

}  // namespace
}  // namespace muster::host
