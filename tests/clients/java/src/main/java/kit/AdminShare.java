package kit;

import static kit.Kit.*;
import static org.apache.kafka.clients.admin.ConfigEntry.ConfigSource.*;

import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.common.*;
import org.apache.kafka.common.errors.*;

/** The admin side of share groups. */
final class AdminShare {
    private static final String RESET = "share.auto.offset.reset", LOCK = "share.record.lock.duration.ms",
        LIMIT = "share.delivery.count.limit";
    private final Admin admin;
    private final String topic = fresh("t"), group = fresh("as");
    private final TopicPartition p0 = new TopicPartition(topic, 0), p1 = new TopicPartition(topic, 1);

    AdminShare(Admin admin) { this.admin = admin; }

    void run() throws Exception {
        topic(admin, topic, 2);
        produce(topic, 2, 0, 20);
        configs();
        try (var c = Share.consumer(group, topic)) {
            live(c);
        }
        empty();
        deleted();
    }

    private void configs() throws Exception {
        groupConfig(admin, group, RESET, "earliest", LOCK, "20000");
        awaitEq("share group config", 10_000, List.of("earliest", "20000", "5"),
            () -> AdminParts.values(admin, group, RESET, LOCK, LIMIT));
        eq(List.of(DYNAMIC_GROUP_CONFIG, DEFAULT_CONFIG), AdminParts.sources(admin, group, RESET, LIMIT),
            "sources, one set and one not");
        AdminParts.refused(admin, group, new String[][] {{LOCK, "1000"}, {RESET, "sideways"},
            {"consumer.session.timeout.ms", "1"}, {"streams.num.standby.replicas", "100"}, {"no.such.config", "1"}});
        AdminParts.reset(admin, group, LOCK);
        awaitEq("share lock duration after a reset is no group value", 10_000, true,
            () -> AdminParts.config(admin, group).get(LOCK).source() != DYNAMIC_GROUP_CONFIG);
        check(AdminConfigs.named(admin).contains(group), "config resources list it");
    }

    /** Takes and accepts records until there are so many, each with its delivery count. */
    private List<String> take(KafkaShareConsumer<String, String> c, int count) throws Exception {
        List<String> taken = new ArrayList<>();
        await("share member took " + count, 20_000, () -> taken, () -> {
            c.poll(Duration.ofMillis(200)).forEach(r -> {
                taken.add(r.value() + " count " + r.deliveryCount().orElseThrow());
                c.acknowledge(r);
            });
            Share.commit(c);
            return taken.size() >= count;
        });
        Collections.sort(taken);
        return taken;
    }

    private static List<String> first(List<String> values) {
        return values.stream().map(v -> v + " count 1").sorted().toList();
    }

    private Map<String, String> listed(ListGroupsOptions options) throws Exception {
        return AdminParts.listed(admin, Set.of(group), options);
    }

    private ShareGroupDescription describe() throws Exception {
        return get(admin.describeShareGroups(List.of(group)).all()).get(group);
    }

    private void live(KafkaShareConsumer<String, String> c) throws Exception {
        eq(first(Kit.values(0, 20)), take(c, 20), "records of the share member");
        Map<String, String> want = Map.of(group, "Share/share/Stable");
        awaitEq("listed groups", 10_000, want, () -> listed(new ListGroupsOptions()));
        eq(want, listed(new ListGroupsOptions().withTypes(Set.of(GroupType.SHARE))), "by type");
        eq(want, listed(ListGroupsOptions.forShareGroups()), "share groups");
        eq(Map.of(), listed(ListGroupsOptions.forConsumerGroups()), "consumer groups");
        eq(want, listed(new ListGroupsOptions().inGroupStates(Set.of(GroupState.STABLE))), "by state Stable");
        eq(Map.of(), listed(new ListGroupsOptions().inGroupStates(Set.of(GroupState.EMPTY))), "by state Empty");
        eq(Set.of(Set.of(p0, p1)), Share.assigned(admin, group), "share assignment");
        awaitEq("share target and member epochs are the group epoch", 10_000, true, () -> {
            ShareGroupDescription now = describe();
            return now.targetAssignmentEpoch() == now.groupEpoch()
                && now.members().stream().allMatch(m -> m.memberEpoch() == now.groupEpoch());
        });
        throwsError(GroupNotEmptyException.class, "delete the live group",
            () -> get(admin.deleteShareGroups(List.of(group)).all()));
        throwsError(GroupNotEmptyException.class, "alter offsets of the live group",
            () -> get(admin.alterShareGroupOffsets(group, Map.of(p0, 3L)).all()));
        throwsError(GroupIdNotFoundException.class, "describe a group that never was",
            () -> get(admin.describeShareGroups(List.of(fresh("none"))).all()));
    }

    private void empty() throws Exception {
        awaitEq("listed groups after all closed", 20_000, Map.of(group, "Share/share/Empty"),
            () -> listed(new ListGroupsOptions()));
        awaitEq("share lag", 10_000, Map.of(p0, 0L, p1, 0L), () -> Share.lags(admin, group));
        say("share start offsets told by the broker " + Share.offsets(admin, group));
        get(admin.alterShareGroupOffsets(group, Map.of(p0, 4L)).all());
        eq(4L, Share.offsets(admin, group).get(p0), "altered share offset");
        eq(Map.of(p0, 6L, p1, 0L), Share.lags(admin, group), "share lag after altering");
        try (var c = Share.consumer(group, topic)) {
            eq(first(List.of("v8", "v10", "v12", "v14", "v16", "v18")), take(c, 6), "records from the altered offset");
        }
        awaitEq("share group state", 10_000, GroupState.EMPTY, () -> describe().groupState());
        get(admin.deleteShareGroupOffsets(group, Set.of(topic)).all());
        awaitEq("share offsets after deleting the topic's", 10_000, Map.of(), () -> Share.offsets(admin, group));
    }

    private void deleted() throws Exception {
        get(admin.deleteShareGroups(List.of(group)).all());
        eq(Map.of(), listed(new ListGroupsOptions()), "listed groups after deleting");
        throwsError(GroupIdNotFoundException.class, "describe the deleted group", this::describe);
        throwsError(GroupIdNotFoundException.class, "delete it again",
            () -> get(admin.deleteShareGroups(List.of(group)).all()));
    }
}
