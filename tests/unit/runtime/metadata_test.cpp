#include "runtime/metadata.hpp"

#include <gtest/gtest.h>
#include <xxhash.h>

namespace muster::host {
namespace {

muster_uuid id_from(const char* hex) {
  muster_uuid id{};
  for (int i = 0; i < 16; ++i) {
    const std::string byte(hex + 2 * i, 2);
    id.bytes[i] = static_cast<std::uint8_t>(std::stoi(byte, nullptr, 16));
  }
  return id;
}

muster_topic topic(std::string_view name, const muster_uuid& id, std::uint32_t partitions) {
  muster_topic made{};
  made.struct_size = sizeof made;
  made.name = to_abi(name);
  made.id = id;
  made.partition_count = partitions;
  return made;
}

void apply(Metadata& metadata, const muster_topic* what, std::string_view name, int change) {
  const muster_topic_change one{to_abi(name), what != nullptr ? what->id : muster_uuid{}, change};
  metadata.events()->changed(metadata.events()->self, &what, &one, 1);
}

TEST(TopicHash, IsTheOneKafkaWroteIntoItsLog) {
  // Read from the log of a 4.4.0 broker: one topic, so the group's hash is XXH3-64 over this one.
  const auto id = id_from("7f2862e51a1a4b92bab4a5340fc6d2ca");
  const TopicInfo info(topic("fb224579", id, 4));
  const std::uint64_t hash = info.view().hash;
  EXPECT_EQ(XXH3_64bits(&hash, sizeof hash), 0xb7dedb74a08e50c1u);
}

TEST(TopicHash, DependsOnRacksByPartition) {
  muster_topic made = topic("t", id_from("000102030405060708090a0b0c0d0e0f"), 2);
  const std::string_view racks[] = {"a", "b"};
  const muster_str both[] = {to_abi(racks[0]), to_abi(racks[1])};
  const std::uint32_t first[] = {0, 2, 2};
  const std::uint32_t second[] = {0, 1, 2};
  made.racks = both;
  made.rack_offsets = first;
  const TopicInfo one(made);
  made.rack_offsets = second;
  const TopicInfo other(made);
  EXPECT_NE(one.view().hash, other.view().hash);
}

TEST(Metadata, FindsTopicsByNameAndIdAndInOrder) {
  Metadata metadata;
  const auto id_b = id_from("000102030405060708090a0b0c0d0e0f");
  const muster_topic b = topic("b", id_b, 1);
  const muster_topic a = topic("a", id_from("100102030405060708090a0b0c0d0e0f"), 3);
  apply(metadata, &b, "b", MUSTER_TOPIC_CREATED);
  apply(metadata, &a, "a", MUSTER_TOPIC_CREATED);

  const SnapshotPtr snapshot = metadata.current();
  const muster_metadata_view* view = snapshot->view();
  EXPECT_EQ(view->version, 2u);
  ASSERT_EQ(view->topic_count, 2u);
  EXPECT_EQ(from_abi(view->at(view->self, 0)->name), "a");
  EXPECT_EQ(from_abi(view->by_id(view->self, &id_b)->name), "b");
  EXPECT_EQ(view->by_name(view->self, to_abi("a"))->partition_count, 3u);
  EXPECT_EQ(view->by_name(view->self, to_abi("c")), nullptr);
}

TEST(Metadata, AnOldSnapshotStaysAsItWas) {
  Metadata metadata;
  const muster_topic a = topic("a", id_from("100102030405060708090a0b0c0d0e0f"), 3);
  apply(metadata, &a, "a", MUSTER_TOPIC_CREATED);
  const SnapshotPtr before = metadata.current();
  apply(metadata, nullptr, "a", MUSTER_TOPIC_DELETED);

  EXPECT_EQ(metadata.current()->view()->topic_count, 0u);
  ASSERT_NE(before->by_name("a"), nullptr);
  EXPECT_EQ(before->by_name("a")->partition_count, 3u);
}

TEST(Metadata, TellsItsListenerEachChangeWithTheSnapshotAfterIt) {
  Metadata metadata;
  std::vector<std::string> seen;
  metadata.on_change([&](const std::shared_ptr<const MetadataChange>& change) {
    seen.push_back(std::string(from_abi(change->changes.at(0).name)) + " " +
                   std::to_string(change->snapshot->view()->version));
  });
  const muster_topic a = topic("a", id_from("100102030405060708090a0b0c0d0e0f"), 3);
  apply(metadata, &a, "a", MUSTER_TOPIC_CREATED);
  apply(metadata, &a, "a", MUSTER_TOPIC_CHANGED);

  EXPECT_EQ(seen, (std::vector<std::string>{"a 1", "a 2"}));
}

}  // namespace
}  // namespace muster::host
