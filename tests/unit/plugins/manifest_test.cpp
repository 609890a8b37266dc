// plugin.toml and the search path.
#include "plugins/manifest.hpp"

#include "support/scratch_folder.hpp"

#include <gmock/gmock.h>

namespace muster::host {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

constexpr const char* text = R"(
id = "org.example.rr"
version = "0.1.0"
license = "Apache-2.0"
abi = "0.1"
[[export]]
interface = "muster.consumer.partition-assignor/1"
name = "rr"
options = [{ name = "stickiness", type = "float64", default = "0.5" }]
features = [{ name = "rr.version", min = 0, max = 1, default = 1 }]
)";

class ManifestTest : public ::testing::Test {
 protected:
  // A folder of a plugin on the search path.
  std::filesystem::path plugin(const std::string& folder, const std::string& manifest) {
    std::filesystem::create_directories(folder_.path() / folder);
    folder_.write(folder + "/" + folder + ".so", "");
    return folder_.write(folder + "/plugin.toml", manifest).parent_path() / (folder + ".so");
  }

  muster::testing::ScratchFolder folder_;
};

TEST_F(ManifestTest, IsReadWithOptionsAndFeatures) {
  const auto manifest = read_manifest(plugin("rr", text));

  ASSERT_TRUE(manifest) << manifest.error();
  EXPECT_EQ(manifest->id, "org.example.rr");
  EXPECT_EQ(manifest->abi, "0.1");
  ASSERT_EQ(manifest->exports.size(), 1u);
  EXPECT_EQ(manifest->exports[0].options.at(0).at("default"), "0.5");
  EXPECT_EQ(manifest->exports[0].features.at(0).at("max"), "1");
}

TEST_F(ManifestTest, WithoutAnIdIsRefused) {
  const auto manifest = read_manifest(plugin("rr", "version = \"1\"\n"));
  ASSERT_FALSE(manifest);
  EXPECT_EQ(manifest.error(), (folder_.path() / "rr/plugin.toml").string() + " has no id");
}

TEST_F(ManifestTest, LibraryIsTheOneNamedLikeItsFolderOrTheOnlyOne) {
  const auto library = plugin("rr", text);
  folder_.write("rr/other.so", "");
  EXPECT_EQ(library_in(folder_.path() / "rr"), library);

  std::filesystem::remove(library);
  EXPECT_EQ(library_in(folder_.path() / "rr"), folder_.path() / "rr/other.so");
  folder_.write("rr/third.so", "");
  EXPECT_EQ(library_in(folder_.path() / "rr"), "");
}

TEST_F(ManifestTest, ScanGoesByPathThenByName) {
  plugin("b", "id = \"x.b\"\n");
  plugin("a", "id = \"x.a\"\n");
  plugin("broken", "id = \n");
  std::filesystem::create_directories(folder_.path() / "empty");

  const ScannedManifests scanned = scan({folder_.path(), "/nowhere"});
  EXPECT_THAT(scanned.manifests,
              ElementsAre(Field(&Manifest::id, "x.a"), Field(&Manifest::id, "x.b")));
  EXPECT_EQ(scanned.errors.size(), 1u);
}

TEST_F(ManifestTest, LibraryThatOffersMoreThanPromisedIsALie) {
  const auto manifest = read_manifest(plugin("rr", "id = \"org.x\"\nversion = \"1\"\n"));
  ASSERT_TRUE(manifest);
  const muster_export exported{"muster.store/1", "s", nullptr, nullptr, 0, nullptr, 0};
  const muster_plugin descriptor{sizeof descriptor, 0, 1, 1, "org.x", "1", "MIT", &exported};

  const auto verdict = compare(*manifest, descriptor);
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error(), manifest->file.string() +
                                 " does not mention muster.store/1 's', which the library offers");
}

}  // namespace
}  // namespace muster::host
