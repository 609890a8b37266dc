package kit;

import static kit.Kit.*;

import java.util.*;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.*;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.*;

/**
 * Listing, describing and deleting classic and consumer groups, and their offsets: live, empty and deleted. Beside one
 * group of each type there is one that has offsets only and one of a protocol type that is no consumer's.
 */
final class AdminGroups {
    private static final Set<AclOperation> OPERATIONS = Set.of(AclOperation.READ, AclOperation.DELETE,
        AclOperation.DESCRIBE, AclOperation.DESCRIBE_CONFIGS, AclOperation.ALTER_CONFIGS);
    private final Admin admin;
    private final String topic = fresh("t"), other = fresh("t"), classic = fresh("ac"), consumer = fresh("an"),
        simple = fresh("ao"), connect = fresh("aw"), never = fresh("none");
    private final TopicPartition p0 = new TopicPartition(topic, 0), p1 = new TopicPartition(topic, 1),
        other0 = new TopicPartition(other, 0);
    private final AdminConfigs configs;

    AdminGroups(Admin admin) {
        this.admin = admin;
        configs = new AdminConfigs(admin, consumer);
    }

    void run() throws Exception {
        topic(admin, topic, 2);
        topic(admin, other, 1);
        produce(topic, 2, 0, 20);
        neverThere();
        configs.set();
        check(!AdminConfigs.named(admin).contains(classic), "config resources do not list a group without configs");
        Member a = Member.of(Consumers.config(true, classic), topic);
        Member b = Member.of(Consumers.config(false, consumer), topic);
        get(admin.alterConsumerGroupOffsets(simple, offsets(5)).all());
        AdminWorker.join(connect, "I");
        Member.awaitCover("classic member", 20_000, Set.of(p0, p1), List.of(2), List.of(a));
        Member.awaitCover("consumer member", 20_000, Set.of(p0, p1), List.of(2), List.of(b));
        Member.awaitValues("classic", 10_000, Kit.values(0, 20), List.of(a));
        Member.awaitValues("consumer", 10_000, Kit.values(0, 20), List.of(b));
        listing();
        describing();
        refusedWhileLive();
        for (Member m : List.of(a, b)) {
            m.commit();
            m.run(c -> c.commitSync(Map.of(other0, new OffsetAndMetadata(7))));
        }
        offsetsOfLive(classic);
        offsetsOfLive(consumer);
        a.close();
        b.close();
        get(admin.removeMembersFromConsumerGroup(connect,
            new RemoveMembersFromConsumerGroupOptions(Set.of(new MemberToRemove("I")))).all());
        emptied();
        offsetsOfEmpty(true, classic);
        offsetsOfEmpty(false, consumer);
        offsetsOfMany();
        delete();
        configs.awaitSet();
        configs.reset();
    }

    private Map<String, String> listed(ListGroupsOptions options) throws Exception {
        return AdminParts.listed(admin, Set.of(classic, consumer, simple, connect), options);
    }

    private Map<TopicPartition, OffsetAndMetadata> offsets(long at) {
        return Map.of(p0, new OffsetAndMetadata(at, Optional.of(0), "note"));
    }

    private static ListGroupsOptions with(Set<GroupState> states) {
        return new ListGroupsOptions().inGroupStates(states);
    }

    private void neverThere() throws Exception {
        throwsError(GroupIdNotFoundException.class, "describe a group that never was",
            () -> Consumers.describe(admin, never));
        throwsError(GroupIdNotFoundException.class, "describe a group that never was as classic",
            () -> get(admin.describeClassicGroups(List.of(never)).all()));
        throwsError(GroupIdNotFoundException.class, "delete a group that never was",
            () -> get(admin.deleteConsumerGroups(List.of(never)).all()));
        throwsError(GroupIdNotFoundException.class, "delete offsets of a group that never was",
            () -> get(admin.deleteConsumerGroupOffsets(never, Set.of(p0)).all()));
        eq(Map.of(), Consumers.committed(admin, never), "offsets of a group that never was");
    }

    private void listing() throws Exception {
        Map<String, String> want = new TreeMap<>(Map.of(classic, "Classic/consumer/Stable",
            consumer, "Consumer/consumer/Stable", simple, "Classic//Empty", connect, "Classic/connect/Stable"));
        awaitEq("listed groups", 10_000, want, () -> listed(new ListGroupsOptions()));
        eq(Set.of(classic, simple, connect), listed(new ListGroupsOptions().withTypes(Set.of(GroupType.CLASSIC)))
            .keySet(), "by type Classic");
        eq(Map.of(consumer, want.get(consumer)), listed(new ListGroupsOptions().withTypes(Set.of(GroupType.CONSUMER))),
            "by type Consumer");
        eq(want, listed(new ListGroupsOptions().withTypes(Set.of(GroupType.CLASSIC, GroupType.CONSUMER))),
            "by both types");
        eq(Set.of(classic, consumer, simple), listed(ListGroupsOptions.forConsumerGroups()).keySet(),
            "consumer groups");
        eq(Set.of(classic, consumer), listed(new ListGroupsOptions().withProtocolTypes(Set.of("consumer"))).keySet(),
            "by protocol consumer");
        eq(Set.of(connect), listed(new ListGroupsOptions().withProtocolTypes(Set.of("connect"))).keySet(),
            "by protocol connect");
        eq(Set.of(simple, connect), listed(new ListGroupsOptions().withProtocolTypes(Set.of("", "connect"))).keySet(),
            "by no protocol or connect");
        eq(Set.of(simple), listed(with(Set.of(GroupState.EMPTY))).keySet(), "by state Empty");
        eq(Set.of(classic, consumer, connect), listed(with(Set.of(GroupState.STABLE))).keySet(), "by state Stable");
        eq(want, listed(with(Set.of(GroupState.STABLE, GroupState.EMPTY))), "by states Stable and Empty");
        eq(Map.of(), listed(with(Set.of(GroupState.DEAD, GroupState.RECONCILING))), "by states none is in");
        eq(Set.of(simple), listed(with(Set.of(GroupState.EMPTY)).withTypes(Set.of(GroupType.CLASSIC,
            GroupType.CONSUMER))).keySet(), "by state and types");
        eq(Map.of(), listed(with(Set.of(GroupState.EMPTY)).withTypes(Set.of(GroupType.CONSUMER))),
            "by state and a type without such");
    }

    private void describing() throws Exception {
        Set<TopicPartition> both = Set.of(p0, p1);
        ClassicGroupDescription c = classic(classic);
        eq(List.of("consumer", "cooperative-sticky", ClassicGroupState.STABLE, 1),
            List.of(c.protocol(), c.protocolData(), c.state(), c.members().size()), "classic description");
        eq(both, c.members().iterator().next().assignment().topicPartitions(), "classic assignment");
        ConsumerGroupDescription d = Consumers.describe(admin, classic);
        eq(List.of(GroupType.CLASSIC, GroupState.STABLE, "cooperative-sticky", false),
            List.of(d.type(), d.groupState(), d.partitionAssignor(), d.isSimpleConsumerGroup()),
            "classic group described with consumer groups");
        eq(Set.of(both), Consumers.described(d), "its assignment");
        eq(Optional.empty(), d.groupEpoch(), "its epoch");
        ConsumerGroupDescription n = Consumers.describe(admin, consumer);
        eq(List.of(GroupType.CONSUMER, GroupState.STABLE, "uniform", false),
            List.of(n.type(), n.groupState(), n.partitionAssignor(), n.isSimpleConsumerGroup()),
            "consumer description");
        eq(Set.of(both), Consumers.described(n), "consumer assignment");
        MemberDescription m = n.members().iterator().next();
        eq(Optional.of(true), m.upgraded(), "consumer member upgraded");
        awaitEq("target and member epoch are the group's", 10_000, true, () -> {
            ConsumerGroupDescription now = Consumers.describe(admin, consumer);
            return now.groupEpoch().isPresent() && now.groupEpoch().equals(now.targetAssignmentEpoch())
                && now.groupEpoch().equals(now.members().iterator().next().memberEpoch());
        });
        for (MemberDescription one : List.of(d.members().iterator().next(), m))
            check(one.clientId().startsWith("consumer-a") && one.host().startsWith("/")
                && one.groupInstanceId().isEmpty(), "member of client " + one.clientId() + " at " + one.host());
        for (String g : List.of(classic, consumer))
            eq(OPERATIONS, get(admin.describeConsumerGroups(List.of(g), new DescribeConsumerGroupsOptions()
                .includeAuthorizedOperations(true)).all()).get(g).authorizedOperations(), "operations allowed on it");
        eq(null, n.authorizedOperations(), "operations where nobody asked");
        d = Consumers.describe(admin, simple);
        eq(List.of(GroupType.CLASSIC, GroupState.EMPTY, "", true),
            List.of(d.type(), d.groupState(), d.partitionAssignor(), d.isSimpleConsumerGroup()),
            "group of offsets only");
        c = classic(connect);
        eq(List.of("connect", "default", ClassicGroupState.STABLE, Optional.of("I")), List.of(c.protocol(),
            c.protocolData(), c.state(), c.members().iterator().next().groupInstanceId()), "group of workers");
        throwsError(IllegalArgumentException.class, "describe the group of workers as consumer",
            () -> Consumers.describe(admin, connect));
        throwsError(GroupIdNotFoundException.class, "describe the consumer group as classic", () -> classic(consumer));
    }

    private ClassicGroupDescription classic(String group) throws Exception {
        return get(admin.describeClassicGroups(List.of(group)).all()).get(group);
    }

    private void refusedWhileLive() {
        for (String g : List.of(classic, consumer, connect))
            throwsError(GroupNotEmptyException.class, "delete live " + g,
                () -> get(admin.deleteConsumerGroups(List.of(g)).all()));
        for (String g : List.of(classic, consumer)) {
            throwsError(UnknownMemberIdException.class, "alter offsets of live " + g,
                () -> get(admin.alterConsumerGroupOffsets(g, offsets(3)).all()));
            throwsError(GroupSubscribedToTopicException.class, "delete offsets of a topic that it reads",
                () -> get(admin.deleteConsumerGroupOffsets(g, Set.of(p0)).all()));
        }
    }

    /** Those of a topic that nobody reads may go. */
    private void offsetsOfLive(String group) throws Exception {
        eq(Map.of(p0, 10L, p1, 10L, other0, 7L), Consumers.committed(admin, group), "committed offsets");
        var deleted = admin.deleteConsumerGroupOffsets(group, Set.of(p0, other0));
        throwsError(GroupSubscribedToTopicException.class, "delete offsets of a topic that it reads and another's",
            () -> get(deleted.partitionResult(p0)));
        get(deleted.partitionResult(other0));
        eq(Map.of(p0, 10L, p1, 10L), Consumers.committed(admin, group), "offsets after deleting the other's");
    }

    private void emptied() throws Exception {
        awaitEq("listed groups after all closed", 20_000, new TreeMap<>(Map.of(classic, "Classic/consumer/Empty",
            consumer, "Consumer/consumer/Empty", simple, "Classic//Empty", connect, "Classic/connect/Empty")),
            () -> listed(new ListGroupsOptions()));
        eq(Map.of(), listed(with(Set.of(GroupState.STABLE))), "by state Stable");
        eq(Set.of(classic, consumer, simple), listed(ListGroupsOptions.forConsumerGroups()
            .inGroupStates(Set.of(GroupState.EMPTY))).keySet(), "consumer groups by state Empty");
        ClassicGroupDescription c = classic(classic);
        eq(List.of("consumer", "", ClassicGroupState.EMPTY, 0),
            List.of(c.protocol(), c.protocolData(), c.state(), c.members().size()), "classic description");
        ConsumerGroupDescription n = Consumers.describe(admin, consumer);
        eq(List.of(GroupType.CONSUMER, GroupState.EMPTY, "uniform", 0),
            List.of(n.type(), n.groupState(), n.partitionAssignor(), n.members().size()), "consumer description");
    }

    private void offsetsOfEmpty(boolean isClassic, String g) throws Exception {
        eq(Map.of(p0, 10L, p1, 10L), Consumers.committed(admin, g), "committed offsets");
        get(admin.alterConsumerGroupOffsets(g, offsets(3)).all());
        var now = get(admin.listConsumerGroupOffsets(g).partitionsToOffsetAndMetadata());
        eq(offsets(3).get(p0), now.get(p0), "altered offset");
        try (Member m = Member.of(Consumers.config(isClassic, g), topic)) {
            Member.awaitValues("from the altered offset", 20_000, Kit.values(0, 20).stream()
                .filter(v -> Integer.parseInt(v.substring(1)) % 2 == 0 && Integer.parseInt(v.substring(1)) >= 6)
                .collect(Collectors.toList()), List.of(m));
        }
        awaitEq("state", 10_000, GroupState.EMPTY, () -> Consumers.describe(admin, g).groupState());
        throwsError(OffsetMetadataTooLarge.class, "alter an offset with a long note",
            () -> get(admin.alterConsumerGroupOffsets(g,
                Map.of(p0, new OffsetAndMetadata(4, "x".repeat(5000)))).all()));
        for (TopicPartition p : List.of(new TopicPartition(topic, 9), new TopicPartition(never, 0))) {
            throwsError(UnknownTopicOrPartitionException.class, "alter the offset of a partition that never was",
                () -> get(admin.alterConsumerGroupOffsets(g, Map.of(p, new OffsetAndMetadata(4))).all()));
            throwsError(UnknownTopicOrPartitionException.class, "delete the offset of a partition that never was",
                () -> get(admin.deleteConsumerGroupOffsets(g, Set.of(p)).all()));
        }
        eq(Map.of(p0, 3L, p1, 10L), Consumers.committed(admin, g), "offsets after all that");
        get(admin.deleteConsumerGroupOffsets(g, Set.of(p0)).all());
        eq(Map.of(p1, 10L), Consumers.committed(admin, g), "offsets after deleting one");
        get(admin.deleteConsumerGroupOffsets(g, Set.of(p0)).all());
        eq(Map.of(p1, 10L), Consumers.committed(admin, g), "offsets after deleting one that is gone");
    }

    /** Offsets of many groups by one call, of some partitions and of all. */
    private void offsetsOfMany() throws Exception {
        var all = new ListConsumerGroupOffsetsSpec();
        var some = new ListConsumerGroupOffsetsSpec().topicPartitions(List.of(p0, p1));
        var got = get(admin.listConsumerGroupOffsets(Map.of(classic, all, consumer, some, simple, all, never, some))
            .all());
        eq(Set.of(p1), got.get(classic).keySet(), "all of the classic group's");
        Map<TopicPartition, OffsetAndMetadata> none = new HashMap<>();
        none.put(p0, null);
        none.put(p1, null);
        eq(none, got.get(never), "two of a group that never was");
        eq(offsets(5), got.get(simple), "all of the group of offsets only");
        eq(null, got.get(consumer).get(p0), "one of the consumer group's that is gone");
        eq(10L, got.get(consumer).get(p1).offset(), "one of the consumer group's");
    }

    private void delete() throws Exception {
        var deleted = admin.deleteConsumerGroups(List.of(classic, consumer, simple, connect, never)).deletedGroups();
        for (String g : List.of(classic, consumer, simple, connect)) get(deleted.get(g));
        throwsError(GroupIdNotFoundException.class, "delete one beside them that never was",
            () -> get(deleted.get(never)));
        eq(Map.of(), listed(new ListGroupsOptions()), "listed groups after deleting");
        for (String g : List.of(classic, consumer, simple)) {
            throwsError(GroupIdNotFoundException.class, "describe deleted " + g, () -> Consumers.describe(admin, g));
            throwsError(GroupIdNotFoundException.class, "delete it again",
                () -> get(admin.deleteConsumerGroups(List.of(g)).all()));
            throwsError(GroupIdNotFoundException.class, "delete its offsets",
                () -> get(admin.deleteConsumerGroupOffsets(g, Set.of(p1)).all()));
            eq(Map.of(), Consumers.committed(admin, g), "its offsets");
        }
        for (String g : List.of(classic, connect))
            throwsError(GroupIdNotFoundException.class, "describe deleted " + g, () -> classic(g));
    }
}
