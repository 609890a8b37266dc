// docs/configuration.md says what the tables in the program say.
#include "config/host_settings.hpp"
#include "config/options.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <iterator>

namespace muster::host {
namespace {

using ::testing::HasSubstr;

std::string documentation() {
  std::ifstream in(std::filesystem::path(MUSTER_SOURCE_DIR) / "docs" / "configuration.md");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string row(std::string_view name, std::string_view value, std::string_view doc) {
  const std::string shown = value.empty() ? "" : "`" + std::string(value) + "`";
  return "| `" + std::string(name) + "` | " + shown + " | " + std::string(doc) + " |";
}

TEST(Documentation, ListsEverySettingWithItsDefault) {
  const std::string text = documentation();
  for (const Setting& setting : host_settings()) {
    EXPECT_THAT(text, HasSubstr(row(setting.name, setting.default_text, setting.doc)));
  }
}

TEST(Documentation, ListsEveryOptionOfTheHost) {
  const std::string text = documentation();
  for (const muster_option& option : host_options()) {
    EXPECT_THAT(text, HasSubstr(row(option.name, option.default_value, option.doc)));
  }
}

}  // namespace
}  // namespace muster::host
