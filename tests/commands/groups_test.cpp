// `muster group` against a running host.
#include "command.hpp"
#include "heartbeats.hpp"
#include "topics.hpp"

#include <muster/protocol/messages/offset_commit_request.hpp>
#include <muster/protocol/messages/offset_commit_response.hpp>

#include <gmock/gmock.h>

namespace muster::commands {
namespace {

using sockets::Beating;
using sockets::Client;
using sockets::Served;
using ::testing::HasSubstr;

// A host with a topic "t" of two partitions and one record in the first.
class Groups : public ::testing::Test {
 protected:
  Groups() : client_(host_.port()) {
    sockets::create_topic(client_, "t", 2);
    EXPECT_TRUE(client_.send(sockets::produce("t", 1, 1)));
    EXPECT_TRUE(client_.receive());
    sockets::find_coordinator(client_, "readers");
  }

  [[nodiscard]] Ran group(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "group");
    arguments.insert(arguments.end(), {"--data-dir", host_.data_dir().string()});
    return muster(arguments);
  }
  // An offset of partition 0 of "t", by nobody that is a member.
  void commit(std::string_view id, std::int64_t offset) {
    protocol::OffsetCommitRequest request;
    request.group_id = id;
    auto& topic = request.topics.emplace_back();
    topic.name = "t";
    topic.partitions.emplace_back().committed_offset = offset;
    const auto answer = client_.ask<protocol::OffsetCommitResponse>(request, 9);
    ASSERT_EQ(answer.message.topics.size(), 1u);
    EXPECT_EQ(answer.message.topics[0].partitions[0].error_code, 0);
  }

  Served host_;
  Client client_;
};

TEST_F(Groups, WithoutAnyThereAreNone) {
  EXPECT_EQ(group({"list"}).out, "no groups\n");
  EXPECT_EQ(group({"list", "--json"}).json(), nlohmann::json::array());
}

TEST_F(Groups, AreListedByTypeAndState) {
  Beating member(host_.port(), "readers", "uniform");
  member.join();
  commit("simple", 1);
  const auto all = group({"list", "--json"}).json();
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].at("id"), "readers");
  EXPECT_EQ(all[0].at("type"), "consumer");
  EXPECT_EQ(all[1].at("id"), "simple");
  EXPECT_EQ(all[1].at("type"), "classic");
  EXPECT_EQ(all[1].at("state"), "Empty");

  const auto consumers = group({"list", "--type", "consumer", "--json"}).json();
  ASSERT_EQ(consumers.size(), 1u);
  EXPECT_EQ(consumers[0].at("id"), "readers");
  const auto empty = group({"list", "--state", "Empty,Dead", "--json"}).json();
  ASSERT_EQ(empty.size(), 1u);
  EXPECT_EQ(empty[0].at("id"), "simple");
  EXPECT_THAT(group({"list"}).out, HasSubstr("GROUP    TYPE      STATE"));
}

TEST_F(Groups, ShowTheirMembersAndWhatTheyHave) {
  Beating member(host_.port(), "readers", "uniform");
  member.join();
  const auto told = group({"describe", "readers", "--json"}).json();
  EXPECT_EQ(told.at("type"), "consumer");
  EXPECT_EQ(told.at("assignor"), "uniform");
  ASSERT_EQ(told.at("members").size(), 1u);
  const auto& one = told.at("members")[0];
  EXPECT_EQ(one.at("id"), "member-of-readers");
  EXPECT_EQ(one.at("client_id"), "sockets");
  EXPECT_EQ(one.at("topics"), (nlohmann::json{"t"}));
  EXPECT_EQ(one.at("target"), (nlohmann::json{{"t", {0, 1}}}));

  const Ran text = group({"describe", "readers"});
  EXPECT_EQ(text.code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("assignor  uniform\n"));
  EXPECT_THAT(text.out, HasSubstr("member-of-readers  sockets  /127.0.0.1"));
}

TEST_F(Groups, ShowTheirOffsetsAndLag) {
  commit("simple", 0);
  const auto told = group({"describe", "simple", "--json"}).json();
  ASSERT_EQ(told.at("offsets").size(), 1u);
  EXPECT_EQ(told.at("offsets")[0].at("committed"), 0);
  EXPECT_EQ(told.at("offsets")[0].at("end"), 1);
  EXPECT_EQ(told.at("offsets")[0].at("lag"), 1);
  EXPECT_EQ(told.at("members"), nlohmann::json::array());

  EXPECT_EQ(group({"offsets", "simple"}).out,
            "TOPIC  PARTITION  COMMITTED  END  LAG  MEMBER\n"
            "t              0          0    1    1  -\n");
  EXPECT_EQ(group({"offsets", "simple", "--json"}).json().at("offsets"), told.at("offsets"));
}

TEST_F(Groups, AreDeletedWithTheirOffsets) {
  commit("simple", 1);
  const Ran deleted = group({"delete", "simple"});
  EXPECT_EQ(deleted.code, 0) << deleted.err;
  EXPECT_EQ(deleted.out, "deleted group 'simple'\n");
  EXPECT_EQ(group({"list"}).out, "no groups\n");
}

TEST_F(Groups, WithMembersAreNotDeleted) {
  Beating member(host_.port(), "readers", "uniform");
  member.join();
  const Ran refused = group({"delete", "readers"});
  EXPECT_EQ(refused.code, 1);
  EXPECT_THAT(refused.err, HasSubstr("cannot delete group 'readers': NON_EMPTY_GROUP: "));
}

TEST_F(Groups, ThatAreUnknownSayTheNearestName) {
  commit("simple", 1);
  for (const char* command : {"describe", "offsets", "delete"}) {
    const Ran unknown = group({command, "simpel"});
    EXPECT_EQ(unknown.code, 1);
    EXPECT_EQ(unknown.err, "there is no group 'simpel'; did you mean 'simple'?\n");
  }
}

}  // namespace
}  // namespace muster::commands
