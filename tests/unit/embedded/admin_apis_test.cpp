// APIs of things that this broker does not have or does not change: quotas, ACLs, tokens, replicas
// elsewhere. What is expected of answers was observed from Kafka 4.4.0, but where a name says so.
#include <gmock/gmock.h>

#include <muster/protocol/messages/add_raft_voter_request.hpp>
#include <muster/protocol/messages/add_raft_voter_response.hpp>
#include <muster/protocol/messages/alter_client_quotas_request.hpp>
#include <muster/protocol/messages/alter_client_quotas_response.hpp>
#include <muster/protocol/messages/alter_partition_reassignments_request.hpp>
#include <muster/protocol/messages/alter_partition_reassignments_response.hpp>
#include <muster/protocol/messages/alter_user_scram_credentials_request.hpp>
#include <muster/protocol/messages/alter_user_scram_credentials_response.hpp>
#include <muster/protocol/messages/create_acls_request.hpp>
#include <muster/protocol/messages/create_acls_response.hpp>
#include <muster/protocol/messages/create_delegation_token_request.hpp>
#include <muster/protocol/messages/create_delegation_token_response.hpp>
#include <muster/protocol/messages/delete_acls_request.hpp>
#include <muster/protocol/messages/delete_acls_response.hpp>
#include <muster/protocol/messages/describe_acls_request.hpp>
#include <muster/protocol/messages/describe_acls_response.hpp>
#include <muster/protocol/messages/describe_client_quotas_request.hpp>
#include <muster/protocol/messages/describe_client_quotas_response.hpp>
#include <muster/protocol/messages/describe_delegation_token_request.hpp>
#include <muster/protocol/messages/describe_delegation_token_response.hpp>
#include <muster/protocol/messages/describe_producers_request.hpp>
#include <muster/protocol/messages/describe_producers_response.hpp>
#include <muster/protocol/messages/describe_quorum_request.hpp>
#include <muster/protocol/messages/describe_quorum_response.hpp>
#include <muster/protocol/messages/describe_transactions_request.hpp>
#include <muster/protocol/messages/describe_transactions_response.hpp>
#include <muster/protocol/messages/describe_user_scram_credentials_request.hpp>
#include <muster/protocol/messages/describe_user_scram_credentials_response.hpp>
#include <muster/protocol/messages/elect_leaders_request.hpp>
#include <muster/protocol/messages/elect_leaders_response.hpp>
#include <muster/protocol/messages/expire_delegation_token_request.hpp>
#include <muster/protocol/messages/expire_delegation_token_response.hpp>
#include <muster/protocol/messages/list_partition_reassignments_request.hpp>
#include <muster/protocol/messages/list_partition_reassignments_response.hpp>
#include <muster/protocol/messages/list_transactions_request.hpp>
#include <muster/protocol/messages/list_transactions_response.hpp>
#include <muster/protocol/messages/remove_raft_voter_request.hpp>
#include <muster/protocol/messages/remove_raft_voter_response.hpp>
#include <muster/protocol/messages/renew_delegation_token_request.hpp>
#include <muster/protocol/messages/renew_delegation_token_response.hpp>
#include <muster/protocol/messages/unregister_broker_request.hpp>
#include <muster/protocol/messages/unregister_broker_response.hpp>
#include <muster/protocol/messages/unregister_controller_request.hpp>
#include <muster/protocol/messages/unregister_controller_response.hpp>

#include "kit.hpp"

namespace muster::embedded::test {
namespace {

using ::testing::ElementsAre;

template <class Answer>
std::string verdict(const Answer& answer) {
  std::string text = std::to_string(answer.error_code);
  if (answer.error_message && !answer.error_message->empty()) {
    text += " " + std::string(*answer.error_message);
  }
  return text;
}

template <class Answers>
std::vector<std::string> verdicts(const Answers& answers) {
  std::vector<std::string> all;
  for (const auto& answer : answers) all.push_back(verdict(answer));
  return all;
}

class AdminApis : public ::testing::Test {
 protected:
  AdminApis() { create(rig, "t", 2); }

  template <class Response, class Request>
  Decoded<Response> ask(const Request& request) {
    return rig.ask<Response>(request, Request::max_version);
  }

  BrokerRig rig;
};

TEST_F(AdminApis, AclsAreOffWithoutAnAuthorizer) {
  EXPECT_EQ(verdict(*ask<protocol::DescribeAclsResponse>(protocol::DescribeAclsRequest{})),
            "54 No Authorizer is configured on the broker");
  protocol::CreateAclsRequest creation;
  creation.creations.resize(2);
  EXPECT_THAT(verdicts(ask<protocol::CreateAclsResponse>(creation)->results),
              ElementsAre("54 No Authorizer is configured.", "54 No Authorizer is configured."));
  protocol::DeleteAclsRequest deletion;
  deletion.filters.resize(1);
  EXPECT_THAT(verdicts(ask<protocol::DeleteAclsResponse>(deletion)->filter_results),
              ElementsAre("54 No Authorizer is configured."));
}

TEST_F(AdminApis, TokensAreNotForThoseWhoDidNotAuthenticate) {
  protocol::CreateDelegationTokenRequest creation;
  auto made = ask<protocol::CreateDelegationTokenResponse>(creation);
  EXPECT_EQ(made->error_code, 64);
  EXPECT_EQ(made->expiry_timestamp_ms, -1);
  EXPECT_EQ(made->principal_name, made->token_requester_principal_name);
  creation.owner_principal_type = "User";
  creation.owner_principal_name = "bob";
  EXPECT_EQ(ask<protocol::CreateDelegationTokenResponse>(creation)->principal_name, "bob");
  const auto renewed =
      ask<protocol::RenewDelegationTokenResponse>(protocol::RenewDelegationTokenRequest{});
  EXPECT_EQ(renewed->error_code, 64);
  EXPECT_EQ(renewed->expiry_timestamp_ms, -1);
  EXPECT_EQ(ask<protocol::ExpireDelegationTokenResponse>(protocol::ExpireDelegationTokenRequest{})
                ->error_code,
            64);
  EXPECT_EQ(
      ask<protocol::DescribeDelegationTokenResponse>(protocol::DescribeDelegationTokenRequest{})
          ->error_code,
      64);
}

TEST_F(AdminApis, LeadersNeedNoElection) {
  protocol::ElectLeadersRequest request;
  request.topic_partitions.emplace();
  request.topic_partitions->push_back({"t", {0, 7}});
  request.topic_partitions->push_back({"nope", {0}});
  auto response = ask<protocol::ElectLeadersResponse>(request);
  EXPECT_EQ(response->error_code, 0);
  EXPECT_THAT(verdicts(response->replica_election_results.at(0).partition_result),
              ElementsAre("84 Leader election not needed for topic partition.",
                          "3 No such partition as t-7"));
  EXPECT_THAT(verdicts(response->replica_election_results.at(1).partition_result),
              ElementsAre("3 No such topic as nope"));

  request.election_type = 5;
  response = ask<protocol::ElectLeadersResponse>(request);
  EXPECT_EQ(response->error_code, 42);
  EXPECT_THAT(verdicts(response->replica_election_results.at(1).partition_result),
              ElementsAre("42 Unknown election type 5"));
}

TEST_F(AdminApis, AnElectionOfAllNamesTopicsAndNoPartitions) {
  protocol::ElectLeadersRequest request;
  request.topic_partitions = std::nullopt;
  const auto response = ask<protocol::ElectLeadersResponse>(request);
  ASSERT_EQ(response->replica_election_results.size(), 1U);
  EXPECT_EQ(response->replica_election_results[0].topic, "t");
  EXPECT_TRUE(response->replica_election_results[0].partition_result.empty());
}

TEST_F(AdminApis, ReassignmentsAreJudgedAndMoveNothing) {
  protocol::AlterPartitionReassignmentsRequest request;
  auto& topic = request.topics.emplace_back();
  topic.name = "t";
  topic.partitions = {{0, {{3}}}, {0, std::nullopt}, {0, {{2}}}, {0, {{3, 3}}}, {9, {{3}}}};
  request.topics.push_back({"nope", {{0, std::nullopt}}});
  const auto response = ask<protocol::AlterPartitionReassignmentsResponse>(request);
  EXPECT_EQ(response->error_code, 0);
  EXPECT_THAT(
      verdicts(response->responses.at(0).partitions),
      ElementsAre("0", "85",
                  "39 The manual partition assignment includes broker 2, but no such broker is "
                  "registered.",
                  "39 The manual partition assignment includes the broker 3 more than once.",
                  "3 Unable to find partition t:9."));
  EXPECT_THAT(verdicts(response->responses.at(1).partitions),
              ElementsAre("3 Unable to find a topic named nope."));

  const auto listed = ask<protocol::ListPartitionReassignmentsResponse>(
      protocol::ListPartitionReassignmentsRequest{});
  EXPECT_EQ(verdict(*listed), "0");
  EXPECT_TRUE(listed->topics.empty());
}

TEST_F(AdminApis, NobodyHasAQuota) {
  protocol::DescribeClientQuotasRequest request;
  const auto answer = [&] {
    const auto response = ask<protocol::DescribeClientQuotasResponse>(request);
    EXPECT_EQ(response->entries.has_value(), response->error_code == 0);
    return verdict(*response);
  };
  EXPECT_EQ(answer(), "0");
  request.components = {{"user", 0, "x"}};
  EXPECT_EQ(answer(), "0");
  request.components = {{"", 0, "x"}};
  EXPECT_EQ(answer(), "42 Invalid empty entity type.");
  request.components = {{"user", 9, "x"}};
  EXPECT_EQ(answer(), "42 Unknown match type 9");
  request.components = {{"blah", 0, "x"}};
  EXPECT_EQ(answer(), "35 Unsupported entity type blah");
  request.components = {{"user", 0, std::nullopt}};
  EXPECT_EQ(answer(), "42 Request specified MATCH_TYPE_EXACT, but set match string to null.");
  request.components = {{"user", 2, "x"}};
  EXPECT_EQ(answer(),
            "42 Request specified MATCH_TYPE_SPECIFIED, but also specified a match string.");
  request.components = {{"user", 0, "x"}, {"user", 0, "y"}};
  EXPECT_EQ(answer(), "42 Entity type user cannot appear more than once in the filter.");
  request.components = {{"ip", 0, "x"}, {"user", 0, "y"}};
  EXPECT_EQ(
      answer(),
      "42 Invalid entity filter component combination. IP filter component should not be used "
      "with user or clientId filter component.");
}

TEST_F(AdminApis, QuotasCanBeRemovedAndUnlikeInKafkaNotSet) {
  protocol::AlterClientQuotasRequest request;
  request.entries = {{{{"user", "x"}}, {{"bogus", 1.0, false}}},
                     {{{"user", "y"}}, {{"producer_byte_rate", 1000.0, false}}},
                     {{}, {}},
                     {{{"bl", "x"}}, {}},
                     {{{"user", "z"}}, {{"producer_byte_rate", 0.0, true}}}};
  const auto response = ask<protocol::AlterClientQuotasResponse>(request);
  EXPECT_THAT(verdicts(response->entries),
              ElementsAre("42 Invalid configuration key bogus",
                          "35 Client quotas are not supported by this broker.",
                          "42 Invalid empty client quota entity",
                          "42 Unhandled client quota entity type: bl", "0"));
  EXPECT_EQ(response->entries[4].entity.at(0).entity_name, "z");
}

TEST_F(AdminApis, NoUserHasScramCredentials) {
  protocol::DescribeUserScramCredentialsRequest request;
  request.users = std::nullopt;
  EXPECT_TRUE(ask<protocol::DescribeUserScramCredentialsResponse>(request)->results.empty());
  request.users.emplace();
  for (const char* user : {"b", "a", "a"}) request.users->push_back({user});
  EXPECT_THAT(
      verdicts(ask<protocol::DescribeUserScramCredentialsResponse>(request)->results),
      ElementsAre(
          "92 Cannot describe SCRAM credentials for the same user twice in a single request: a",
          "91 Attempt to describe a user credential that does not exist: b"));
}

TEST_F(AdminApis, ScramCredentialsCannotBeDeletedAndUnlikeInKafkaNotMade) {
  protocol::AlterUserScramCredentialsRequest request;
  request.deletions = {{"a", 1}, {"", 1}, {"b", 9}};
  request.upsertions.emplace_back().name = "w";
  EXPECT_THAT(verdicts(ask<protocol::AlterUserScramCredentialsResponse>(request)->results),
              ElementsAre("93 Username must not be empty",
                          "91 Attempt to delete a user credential that does not exist",
                          "33 Unknown SCRAM mechanism", "33 SASL is not enabled on this broker"));
}

TEST_F(AdminApis, TheQuorumIsThisNode) {
  protocol::DescribeQuorumRequest request;
  request.topics.push_back({"__cluster_metadata", {{0}}});
  for (std::int16_t version = 0; version <= 2; ++version) {
    const auto response = rig.ask<protocol::DescribeQuorumResponse>(request, version);
    const auto& partition = response->topics.at(0).partitions.at(0);
    EXPECT_EQ(partition.error_code, 0);
    EXPECT_EQ(partition.leader_id, RigHost::node_id);
    ASSERT_EQ(partition.current_voters.size(), 1U);
    EXPECT_EQ(partition.current_voters[0].replica_id, RigHost::node_id);
    EXPECT_TRUE(partition.observers.empty());
    EXPECT_EQ(response->nodes.size(), version == 2 ? 1U : 0U);
  }
}

TEST_F(AdminApis, AQuorumOfAnythingElseIsUnknown) {
  protocol::DescribeQuorumRequest request;
  request.topics.push_back({"__cluster_metadata", {{0}, {1}}});
  const auto response = ask<protocol::DescribeQuorumResponse>(request);
  EXPECT_EQ(response->error_code, 0);
  EXPECT_THAT(verdicts(response->topics.at(0).partitions),
              ElementsAre("3 This server does not host this topic-partition.",
                          "3 This server does not host this topic-partition."));
  EXPECT_TRUE(response->nodes.empty());
}

TEST_F(AdminApis, ProducersOfAPartitionAreDescribed) {
  produce(rig, "t", batch(3, {7, 1, 0}));
  produce(rig, "t", batch(2, {5, 0, 0}));
  produce(rig, "t", batch(1, {7, 1, 3}));
  protocol::DescribeProducersRequest request;
  request.topics = {{"t", {0, 1, 7}}, {"nope", {0}}, {"", {0}}};
  const auto response = ask<protocol::DescribeProducersResponse>(request);
  const auto& partitions = response->topics.at(0).partitions;
  ASSERT_EQ(partitions.at(0).active_producers.size(), 2U);
  EXPECT_EQ(partitions[0].active_producers[0].producer_id, 5);
  const auto& seven = partitions[0].active_producers[1];
  EXPECT_EQ(seven.producer_id, 7);
  EXPECT_EQ(seven.producer_epoch, 1);
  EXPECT_EQ(seven.last_sequence, 3);
  EXPECT_EQ(seven.last_timestamp, start_ms);
  EXPECT_EQ(seven.coordinator_epoch, -1);
  EXPECT_EQ(seven.current_txn_start_offset, -1);
  EXPECT_TRUE(partitions.at(1).active_producers.empty());
  EXPECT_EQ(verdict(partitions.at(2)), "3");
  EXPECT_EQ(verdict(response->topics.at(1).partitions.at(0)),
            "3 This server does not host this topic-partition.");
  EXPECT_EQ(verdict(response->topics.at(2).partitions.at(0)),
            "17 Topic name is invalid: the empty string is not allowed");
}

TEST_F(AdminApis, ThereAreNoTransactions) {
  protocol::DescribeTransactionsRequest described;
  described.transactional_ids = {"x", ""};
  const auto states = ask<protocol::DescribeTransactionsResponse>(described)->transaction_states;
  EXPECT_EQ(states.at(0).error_code, code(Error::not_coordinator));
  EXPECT_EQ(states.at(1).error_code, code(Error::invalid_request));

  protocol::ListTransactionsRequest listed;
  listed.state_filters = {"Ongoing", "Bogus", "Empty", "PrepareCommit", "ongoing"};
  const auto response = ask<protocol::ListTransactionsResponse>(listed);
  EXPECT_EQ(response->error_code, 0);
  EXPECT_THAT(response->unknown_state_filters, ElementsAre("Bogus", "ongoing"));
  EXPECT_TRUE(response->transaction_states.empty());
}

TEST_F(AdminApis, TransactionsAreListedByARegularExpressionThatIsOne) {
  const auto error_of = [&](std::string_view pattern) {
    protocol::ListTransactionsRequest request;
    request.transactional_id_pattern = pattern;
    return ask<protocol::ListTransactionsResponse>(request)->error_code;
  };
  EXPECT_EQ(error_of(""), 0);
  EXPECT_EQ(error_of("a.*"), 0);
  EXPECT_EQ(error_of("("), code(Error::invalid_regular_expression));
}

TEST_F(AdminApis, MembersOfTheClusterAreNotUnregistered) {
  protocol::UnregisterBrokerRequest broker;
  broker.broker_id = 77;
  EXPECT_EQ(verdict(*ask<protocol::UnregisterBrokerResponse>(broker)),
            "102 Broker ID 77 is not currently registered");
  protocol::UnregisterControllerRequest controller;
  controller.controller_id = 77;
  EXPECT_EQ(verdict(*ask<protocol::UnregisterControllerResponse>(controller)),
            "136 Controller ID 77 is not currently registered.");
  controller.controller_id = RigHost::node_id;
  EXPECT_EQ(verdict(*ask<protocol::UnregisterControllerResponse>(controller)),
            "42 Controller cannot unregister itself while it is active.");
}

TEST_F(AdminApis, UnlikeInKafkaTheOnlyBrokerStays) {
  protocol::UnregisterBrokerRequest request;
  request.broker_id = RigHost::node_id;
  EXPECT_EQ(verdict(*ask<protocol::UnregisterBrokerResponse>(request)),
            "42 The only broker of the cluster cannot be unregistered.");
}

TEST_F(AdminApis, VotersAreNeitherAddedNorRemoved) {
  protocol::AddRaftVoterRequest add;
  add.cluster_id = "x";
  EXPECT_EQ(verdict(*ask<protocol::AddRaftVoterResponse>(add)),
            "104 The given id \"x\" doesn't match the cluster id \"" + rig.cluster_id() + "\"");
  add.cluster_id = std::nullopt;
  add.voter_id = -1;
  EXPECT_EQ(verdict(*ask<protocol::AddRaftVoterResponse>(add)),
            "42 Add voter request didn't include a valid voter");
  add.voter_id = 2;
  add.voter_directory_id.bytes[15] = 1;
  EXPECT_EQ(verdict(*ask<protocol::AddRaftVoterResponse>(add)),
            "35 Cluster doesn't support adding voter because the kraft.version feature is 0");
  protocol::RemoveRaftVoterRequest remove;
  remove.cluster_id = std::nullopt;
  remove.voter_id = 2;
  remove.voter_directory_id.bytes[15] = 1;
  EXPECT_EQ(verdict(*ask<protocol::RemoveRaftVoterResponse>(remove)),
            "35 Cluster doesn't support removing voter because the kraft.version feature is 0");
}

// Each needs its own operation on the cluster.
TEST_F(AdminApis, TheClusterMayBeClosedToTheCaller) {
  constexpr std::int32_t alter = 7;
  constexpr std::int32_t describe = 8;
  constexpr std::int32_t describe_configs = 10;
  constexpr std::int32_t alter_configs = 11;
  for (const auto operation : {alter, describe, describe_configs, alter_configs}) {
    rig.host.denials.push_back({operation, 4, "*"});
  }
  const std::string denied = "31 Cluster authorization failed.";
  EXPECT_EQ(verdict(*ask<protocol::DescribeAclsResponse>(protocol::DescribeAclsRequest{})), denied);
  EXPECT_EQ(verdict(*ask<protocol::ListPartitionReassignmentsResponse>(
                protocol::ListPartitionReassignmentsRequest{})),
            denied);
  EXPECT_EQ(verdict(*ask<protocol::AlterPartitionReassignmentsResponse>(
                protocol::AlterPartitionReassignmentsRequest{})),
            denied);
  EXPECT_EQ(verdict(*ask<protocol::DescribeClientQuotasResponse>(
                protocol::DescribeClientQuotasRequest{})),
            denied);
  EXPECT_EQ(verdict(*ask<protocol::DescribeUserScramCredentialsResponse>(
                protocol::DescribeUserScramCredentialsRequest{})),
            denied);
  EXPECT_EQ(verdict(*ask<protocol::DescribeQuorumResponse>(protocol::DescribeQuorumRequest{})),
            denied);
  EXPECT_EQ(verdict(*ask<protocol::UnregisterBrokerResponse>(protocol::UnregisterBrokerRequest{})),
            denied);
  EXPECT_EQ(verdict(*ask<protocol::AddRaftVoterResponse>(protocol::AddRaftVoterRequest{})), denied);
  protocol::ElectLeadersRequest election;
  election.topic_partitions.emplace().push_back({"t", {0}});
  const auto elected = ask<protocol::ElectLeadersResponse>(election);
  EXPECT_EQ(elected->error_code, 31);
  EXPECT_THAT(verdicts(elected->replica_election_results.at(0).partition_result),
              ElementsAre(denied));
}

}  // namespace
}  // namespace muster::embedded::test
