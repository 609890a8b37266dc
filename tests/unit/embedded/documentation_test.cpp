// docs/configuration.md says what the broker declares.
#include <gmock/gmock.h>

#include <fstream>
#include <iterator>
#include <string>

#include "settings.hpp"

namespace muster::embedded::test {
namespace {

TEST(Documentation, ListsEveryOptionOfTheBrokerWithItsDefault) {
  std::ifstream in(MUSTER_SOURCE_DIR "/docs/configuration.md");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  for (const muster_option& option : declared_options) {
    const std::string value(option.default_value == nullptr ? "" : option.default_value);
    const std::string shown = value.empty() ? "" : "`" + value + "`";
    EXPECT_THAT(text, ::testing::HasSubstr("| `" + std::string(option.name) + "` | " + shown +
                                           " | " + option.doc + ". |"));
  }
}

}  // namespace
}  // namespace muster::embedded::test
