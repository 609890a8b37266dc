// The tree that TOML becomes, and what is said about text that is not TOML.
#include "config/toml_document.hpp"

#include <gmock/gmock.h>

namespace muster::host {
namespace {

using ::testing::HasSubstr;

TEST(TomlDocument, KeepsFileOrderAndLines) {
  const auto root = parse_toml("[b]\nx = 1\n[a]\ny = 2\n", "f.toml");

  ASSERT_TRUE(root);
  ASSERT_EQ(root->members.size(), 2u);
  EXPECT_EQ(root->members[0].name, "b");
  EXPECT_EQ(root->find("a")->find("y")->origin.line, 4);
  EXPECT_EQ(root->find("a")->find("y")->origin.file, "f.toml");
}

TEST(TomlDocument, SpellsScalarsAsText) {
  const auto root = parse_toml("a = true\nb = -3\nc = 0.25\nd = 'x'\ne = ['p', 'q']\n", "f");

  ASSERT_TRUE(root);
  EXPECT_EQ(root->find("a")->text, "true");
  EXPECT_EQ(root->find("b")->text, "-3");
  EXPECT_EQ(root->find("c")->text, "0.25");
  EXPECT_EQ(root->find("d")->text, "x");
  ASSERT_EQ(root->find("e")->items.size(), 2u);
  EXPECT_EQ(root->find("e")->items[1].text, "q");
}

TEST(TomlDocument, SyntaxErrorNamesItsLine) {
  const auto root = parse_toml("a = 1\nb = \n", "f.toml");

  ASSERT_FALSE(root);
  EXPECT_THAT(root.error().to_string(), HasSubstr("f.toml:2: "));
}

TEST(TomlDocument, NameThatBeginsWithAnotherIsExplained) {
  for (const char* text : {"[options]\na.b = 1\na.b.c = 2\n", "[options]\na.b.c = 1\na.b = 2\n"}) {
    const auto root = parse_toml(text, "f.toml");

    ASSERT_FALSE(root);
    EXPECT_THAT(root.error().to_string(), HasSubstr("f.toml:3: "));
    EXPECT_THAT(root.error().to_string(), HasSubstr("write both in quotes"));
  }
}

TEST(TomlDocument, SameKeyTwiceIsNotExplainedAsAClash) {
  const auto root = parse_toml("a = 1\na = 2\n", "f.toml");

  ASSERT_FALSE(root);
  EXPECT_THAT(root.error().to_string(), ::testing::Not(HasSubstr("quotes")));
}

TEST(TomlDocument, MissingFileAndFolderAreErrorsOfOneSentence) {
  const auto missing = parse_toml_file("/nowhere/x.toml");
  const auto folder = parse_toml_file("/tmp");

  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().to_string(),
            "/nowhere/x.toml: cannot be read: No such file or directory");
  ASSERT_FALSE(folder);
  EXPECT_EQ(folder.error().to_string(), "/tmp: this is a folder, not a TOML file");
}

}  // namespace
}  // namespace muster::host
