package kit;

import static kit.Kit.*;

import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.*;
import org.apache.kafka.common.errors.*;
import org.apache.kafka.streams.KafkaStreams;

/** The admin side of streams groups. */
final class AdminStreams {
    private static final String STANDBYS = "streams.num.standby.replicas";
    private final Admin admin;
    private final String in = fresh("in"), out = fresh("out"), group = fresh("at");
    private final TopicPartition in0 = new TopicPartition(in, 0);

    AdminStreams(Admin admin) { this.admin = admin; }

    /** Ends the instance so that its member leaves the group. */
    static void leave(KafkaStreams s) {
        s.close(new KafkaStreams.CloseOptions().timeout(Duration.ofSeconds(15)).leaveGroup(true));
    }

    void run() throws Exception {
        topic(admin, in, 4);
        topic(admin, out, 2);
        Streams.lines(in, 0, 20, new HashMap<>());
        configs();
        KafkaStreams s = new Streams(false).start(group, in, out, 0);
        try {
            live(s);
        } finally {
            leave(s);
        }
        empty();
        deleted();
    }

    private void configs() throws Exception {
        groupConfig(admin, group, STANDBYS, "1");
        awaitEq("streams group config", 10_000, List.of("1"), () -> AdminParts.values(admin, group, STANDBYS));
        AdminParts.refused(admin, group, new String[][] {{STANDBYS, "100"}, {"no.such.config", "1"}});
        check(AdminConfigs.named(admin).contains(group), "config resources list it");
    }

    private Map<String, String> listed(ListGroupsOptions options) throws Exception {
        return AdminParts.listed(admin, Set.of(group), options);
    }

    private void live(KafkaStreams s) throws Exception {
        await("streams running", 30_000, s::state, () -> s.state() == KafkaStreams.State.RUNNING);
        Map<String, String> want = Map.of(group, "Streams/streams/Stable");
        awaitEq("listed groups", 10_000, want, () -> listed(new ListGroupsOptions()));
        eq(want, listed(ListGroupsOptions.forStreamsGroups()), "streams groups");
        eq(Map.of(), listed(ListGroupsOptions.forConsumerGroups()), "consumer groups");
        eq(want, listed(new ListGroupsOptions().inGroupStates(Set.of(GroupState.STABLE))), "by state Stable");
        eq(Map.of(), listed(new ListGroupsOptions().inGroupStates(Set.of(GroupState.EMPTY))), "by state Empty");
        var d = Streams.describe(admin, group);
        eq(8, Streams.ids(d.members().iterator().next().assignment().activeTasks()).size(), "streams active tasks");
        throwsError(GroupNotEmptyException.class, "delete the live group",
            () -> get(admin.deleteStreamsGroups(List.of(group)).all()));
        throwsError(UnknownMemberIdException.class, "alter offsets of the live group",
            () -> get(admin.alterStreamsGroupOffsets(group, Map.of(in0, new OffsetAndMetadata(3))).all()));
        throwsError(GroupIdNotFoundException.class, "describe a group that never was",
            () -> Streams.describe(admin, fresh("none")));
    }

    private OffsetAndMetadata offset() throws Exception {
        return get(admin.listStreamsGroupOffsets(Map.of(group, new ListStreamsGroupOffsetsSpec()))
            .partitionsToOffsetAndMetadata(group)).get(in0);
    }

    private void empty() throws Exception {
        awaitEq("listed groups after all closed", 20_000, Map.of(group, "Streams/streams/Empty"),
            () -> listed(new ListGroupsOptions()));
        eq(5L, offset().offset(), "streams offset");
        get(admin.alterStreamsGroupOffsets(group, Map.of(in0, new OffsetAndMetadata(2))).all());
        eq(2L, offset().offset(), "altered streams offset");
        get(admin.deleteStreamsGroupOffsets(group, Set.of(in0)).all());
        eq(null, offset(), "deleted streams offset");
    }

    private void deleted() throws Exception {
        get(admin.deleteStreamsGroups(List.of(group)).all());
        eq(Map.of(), listed(new ListGroupsOptions()), "listed groups after deleting");
        throwsError(GroupIdNotFoundException.class, "describe the deleted group",
            () -> Streams.describe(admin, group));
        throwsError(GroupIdNotFoundException.class, "delete it again",
            () -> get(admin.deleteStreamsGroups(List.of(group)).all()));
    }
}
