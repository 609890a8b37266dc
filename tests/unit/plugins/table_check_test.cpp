// What the fixtures do not cover: tables of the other interfaces, and claims.
#include "plugins/table_check.hpp"

#include <muster/abi/broker.h>
#include <muster/abi/group_protocol.h>
#include <muster/abi/partition_assignor.h>
#include <muster/abi/store.h>

#include <gmock/gmock.h>

#include <cstring>

namespace muster::host {
namespace {

using ::testing::HasSubstr;

void nothing() {}

// A table with every slot set to something; nothing of it is called.
template <class Table>
Table filled() {
  Table table{};
  void* function = reinterpret_cast<void*>(&nothing);
  for (std::size_t at = 0; at + sizeof function <= sizeof table; at += sizeof function) {
    std::memcpy(reinterpret_cast<char*>(&table) + at, &function, sizeof function);
  }
  table.struct_size = sizeof table;
  return table;
}

class ProtocolTable : public ::testing::Test {
 protected:
  ProtocolTable() : table_(filled<muster_group_protocol_v1>()) {
    table_.apis = &api_;
    table_.api_count = 1;
    table_.types = &type_;
    table_.type_count = 1;
    table_.shard_space = "groups";
    table_.facet = nullptr;
  }
  std::string verdict() {
    const muster_export exported{MUSTER_IFACE_GROUP_PROTOCOL, "p", &table_, nullptr, 0, nullptr, 0};
    const auto good = check_table(exported);
    return good ? "" : good.error();
  }

  muster_api_claim api_{68, 0, 1, 0, MUSTER_SCOPE_GROUP, 1};
  muster_type_claim type_{3, 8};
  muster_group_protocol_v1 table_;
};

TEST_F(ProtocolTable, WholeOneIsGood) { EXPECT_EQ(verdict(), ""); }

TEST_F(ProtocolTable, OptionalSlotsMayBeMissing) {
  table_.join = nullptr;
  table_.on_timer = nullptr;
  table_.digest = nullptr;
  EXPECT_EQ(verdict(), "");
  table_.struct_size = offsetof(muster_group_protocol_v1, on_timer);
  EXPECT_EQ(verdict(), "");
}

TEST_F(ProtocolTable, DecideMustBeThere) {
  table_.decide = nullptr;
  EXPECT_EQ(verdict(), "its slot 'decide' is NULL");
  table_.struct_size = offsetof(muster_group_protocol_v1, decide);
  EXPECT_EQ(verdict(), "its table is too short for the slot 'decide'");
}

TEST_F(ProtocolTable, ClaimsMustMakeSense) {
  api_.min = 2;
  EXPECT_EQ(verdict(), "its claim of API 68 has versions 2 to 1");
  api_ = {68, 0, 1, 0, 9, 1};
  EXPECT_EQ(verdict(), "its claim of API 68 has an unknown scope");
  api_ = {68, 0, 1, 0, MUSTER_SCOPE_GROUP, 1};
  type_ = {8, 3};
  EXPECT_EQ(verdict(), "it claims the record types 8 to 3");
}

TEST_F(ProtocolTable, OneApiIsClaimedOnce) {
  const muster_api_claim both[] = {api_, api_};
  table_.apis = both;
  table_.api_count = 2;
  EXPECT_EQ(verdict(), "it claims API 68 twice");
}

TEST_F(ProtocolTable, ShardSpaceMustBeKnown) {
  table_.shard_space = "topics";
  EXPECT_EQ(verdict(), "its shard space is 'topics', not 'groups' or 'transactions'");
  table_.shard_space = nullptr;
  EXPECT_EQ(verdict(), "its shard space is '', not 'groups' or 'transactions'");
}

TEST_F(ProtocolTable, FacetMustBeWhole) {
  auto facet = filled<muster_group_facet_v1>();
  table_.facet = &facet;
  EXPECT_EQ(verdict(), "");
  facet.expires = nullptr;
  EXPECT_EQ(verdict(), "in its facet, its slot 'expires' is NULL");
}

TEST(BrokerTable, RoutesOnlyIfItClaimsWhatIsRouted) {
  auto table = filled<muster_broker_v1>();
  muster_api_claim api{3, 0, 13, 9, MUSTER_SCOPE_BROKER, 0};
  table.apis = &api;
  table.api_count = 1;
  table.route = nullptr;
  const muster_export exported{MUSTER_IFACE_BROKER, "b", &table, nullptr, 0, nullptr, 0};
  EXPECT_TRUE(check_table(exported));

  api.scope = MUSTER_SCOPE_TOPIC;
  EXPECT_EQ(check_table(exported).error(), "its slot 'route' is NULL");
}

TEST(StoreTable, MustTakeSomething) {
  auto table = filled<muster_store_v1>();
  table.max_batch_bytes = 0;
  const muster_export exported{MUSTER_IFACE_STORE, "s", &table, nullptr, 0, nullptr, 0};
  EXPECT_EQ(check_table(exported).error(), "its max_batch_bytes is 0");
}

TEST(Descriptor, OptionOfTheHostMayNotTakeBoundsFromAnother) {
  const auto table = filled<muster_partition_assignor_v1>();
  muster_option option{};
  option.name = "x";
  option.type = MUSTER_OPTION_INT64;
  option.max_of = "y";
  const muster_export exported{
      MUSTER_IFACE_PARTITION_ASSIGNOR, "a", &table, &option, 1, nullptr, 0};
  const muster_plugin plugin{sizeof plugin, MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, 1, "org.x", "1",
                             "MIT",         &exported};
  EXPECT_THAT(check_descriptor(plugin).error(), HasSubstr("which only group options may"));
}

TEST(Descriptor, FeatureLevelsMustHoldTheDefault) {
  const auto table = filled<muster_partition_assignor_v1>();
  const muster_feature feature{"f", 0, 1, 2};
  const muster_export exported{
      MUSTER_IFACE_PARTITION_ASSIGNOR, "a", &table, nullptr, 0, &feature, 1};
  const muster_plugin plugin{sizeof plugin, MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, 1, "org.x", "1",
                             "MIT",         &exported};
  EXPECT_EQ(check_descriptor(plugin).error(),
            "its feature 'f' has the levels 0 to 1 and the default 2");
}

TEST(Descriptor, IdMustBeAReverseDnsName) {
  for (const char* id : {"", "rr", ".rr", "org..rr", "org.rr.", "org rr.x"}) {
    const muster_plugin plugin{sizeof plugin, MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, 1, id, "1",
                               "MIT",         nullptr};
    EXPECT_THAT(check_descriptor(plugin).error(), HasSubstr("is not a reverse DNS name")) << id;
  }
}

}  // namespace
}  // namespace muster::host
