// `muster topic` against a running host.
#include "topics.hpp"
#include "command.hpp"
#include "served.hpp"

#include <gmock/gmock.h>

namespace muster::commands {
namespace {

using sockets::Client;
using sockets::Served;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Topics : public ::testing::Test {
 protected:
  // Asks the host through the socket in its data folder.
  [[nodiscard]] Ran topic(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "topic");
    arguments.insert(arguments.end(), {"--data-dir", host_.data_dir().string()});
    return muster(arguments);
  }

  Served host_;
};

TEST_F(Topics, AreCreatedListedDescribedAndDeleted) {
  const Ran created = topic({"create", "greetings", "--partitions", "3"});
  EXPECT_EQ(created.code, 0) << created.err;
  EXPECT_EQ(created.out, "created topic 'greetings' with 3 partitions\n");

  const Ran listed = topic({"list"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_THAT(listed.out, StartsWith("TOPIC      PARTITIONS  INTERNAL  ID\n"
                                     "greetings           3  no        "));

  const Ran described = topic({"describe", "greetings"});
  EXPECT_EQ(described.code, 0) << described.err;
  EXPECT_THAT(described.out, HasSubstr("PARTITION  LEADER  REPLICAS  IN SYNC  START  END\n"
                                       "        0       0  0         0            0    0\n"));

  const Ran deleted = topic({"delete", "greetings"});
  EXPECT_EQ(deleted.code, 0) << deleted.err;
  EXPECT_EQ(deleted.out, "deleted topic 'greetings'\n");
  EXPECT_EQ(topic({"list"}).out, "no topics\n");
}

TEST_F(Topics, AreJsonWhereItIsAsked) {
  const auto created = topic({"create", "a", "--partitions", "2", "--json"}).json();
  EXPECT_EQ(created.at("name"), "a");
  EXPECT_EQ(created.at("partitions"), 2);

  const auto listed = topic({"list", "--json"}).json();
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0].at("id"), created.at("id"));

  const auto described = topic({"describe", "a", "--json"}).json();
  ASSERT_EQ(described.at("partitions").size(), 2u);
  EXPECT_EQ(described.at("partitions")[1].at("leader"), 0);
  EXPECT_EQ(topic({"delete", "a", "--json"}).json(), (nlohmann::json{{"deleted", "a"}}));
}

TEST_F(Topics, ShowWhereTheirRecordsStartAndEnd) {
  Client client(host_.port());
  sockets::create_topic(client, "t", 1);
  for (const std::int32_t id : {1, 2}) {
    ASSERT_TRUE(client.send(sockets::produce("t", 1, id)));
    ASSERT_TRUE(client.receive());
  }
  const auto partition = topic({"describe", "t", "--json"}).json().at("partitions").at(0);
  EXPECT_EQ(partition.at("start"), 0);
  EXPECT_EQ(partition.at("end"), 2);
}

TEST_F(Topics, WithoutACountHaveTheHostsPartitions) {
  const Served host({"num.partitions=4"});
  const Ran created =
      muster({"topic", "create", "t", "--data-dir", host.data_dir().string(), "--json"});
  EXPECT_EQ(created.json().at("partitions"), 4);
}

TEST_F(Topics, TakeConfigsAndRefuseUnknownOnesByKafkasName) {
  EXPECT_EQ(topic({"create", "a", "--config", "retention.ms=60000", "--config",
                   "cleanup.policy=delete,compact"})
                .code,
            0);
  const Ran refused = topic({"create", "b", "--config", "retention.days=1"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, StartsWith("cannot create topic 'b': INVALID_CONFIG: "));
  EXPECT_THAT(refused.err, HasSubstr("retention.days"));
}

TEST_F(Topics, ThatAreThereAlreadyAreRefused) {
  EXPECT_EQ(topic({"create", "a"}).code, 0);
  const Ran again = topic({"create", "a"});
  EXPECT_EQ(again.code, 1);
  EXPECT_THAT(again.err, StartsWith("cannot create topic 'a': TOPIC_ALREADY_EXISTS: "));
  EXPECT_EQ(again.out, "");
}

TEST_F(Topics, ThatAreUnknownSayTheNearestNameAndAreNotCreated) {
  EXPECT_EQ(topic({"create", "greetings"}).code, 0);
  for (const char* command : {"describe", "delete"}) {
    const Ran unknown = topic({command, "greeting"});
    EXPECT_EQ(unknown.code, 1);
    EXPECT_EQ(unknown.err, "there is no topic 'greeting'; did you mean 'greetings'?\n");
  }
  EXPECT_EQ(topic({"list", "--json"}).json().size(), 1u);
}

}  // namespace
}  // namespace muster::commands
