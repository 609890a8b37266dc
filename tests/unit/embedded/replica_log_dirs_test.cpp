// AlterReplicaLogDirs. What is expected of answers was observed from Kafka 4.4.0.
#include <gtest/gtest.h>

#include <muster/protocol/messages/alter_replica_log_dirs_request.hpp>
#include <muster/protocol/messages/alter_replica_log_dirs_response.hpp>
#include <muster/protocol/messages/describe_log_dirs_request.hpp>
#include <muster/protocol/messages/describe_log_dirs_response.hpp>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

class ReplicaLogDirs : public ::testing::Test {
 protected:
  ReplicaLogDirs() { create(rig, "t", 2); }

  // The errors, topic by topic in the order of names.
  std::string move(const std::vector<std::pair<std::string_view, std::string>>& path_and_topic) {
    protocol::AlterReplicaLogDirsRequest request;
    for (const auto& [path, topic] : path_and_topic) {
      request.dirs.push_back({path, {{topic, {0, 7}}}});
    }
    std::string text;
    const auto answer = rig.ask<protocol::AlterReplicaLogDirsResponse>(request, 2);
    for (const auto& topic : answer->results) {
      for (const auto& partition : topic.partitions) {
        if (!text.empty()) text += " ";
        text += std::to_string(partition.partition_index) + ":" +
                std::to_string(partition.error_code);
      }
    }
    return text;
  }
  std::string described_folder() {
    const auto answer =
        rig.ask<protocol::DescribeLogDirsResponse>(protocol::DescribeLogDirsRequest{}, 4);
    return std::string(answer->results.at(0).log_dir);
  }

  BrokerRig rig;
};

TEST_F(ReplicaLogDirs, ReplicasStayInTheOneThatIsDescribed) {
  const std::string here = described_folder();
  EXPECT_EQ(move({{here, "t"}}), "0:0 7:3");
  EXPECT_EQ(move({{here, "nope"}}), "0:3 7:3");
}

TEST_F(ReplicaLogDirs, ThereIsNoOtherOne) {
  const std::string here = described_folder();
  EXPECT_EQ(move({{here + "/", "t"}}), "0:57 7:57");
  EXPECT_EQ(move({{"/x", "nope"}}), "0:57 7:57");
  EXPECT_EQ(move({{here, "t"}, {"/x", "t"}}), "0:57 7:57");
}

TEST_F(ReplicaLogDirs, LongNamesOfTopicsAreRefusedAsInKafka) {
  const std::string here = described_folder();
  EXPECT_EQ(move({{here, std::string(213, 'x')}}), "0:3 7:3");
  EXPECT_EQ(move({{here, std::string(214, 'x')}}), "0:17 7:17");
}

}  // namespace
}  // namespace muster::embedded::test
