package kit;

import static kit.Kit.*;

import java.time.Duration;
import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.common.*;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.streams.KafkaStreams;

/** A group of each kind beside the others: what listings tell apart, and each taken for another kind. */
final class AdminAllKinds {
    private final Admin admin;
    private final String topic = fresh("t"), in = fresh("in"), out = fresh("out"), classic = fresh("ac"),
        consumer = fresh("an"), share = fresh("as"), streams = fresh("at");

    AdminAllKinds(Admin admin) { this.admin = admin; }

    void run() throws Exception {
        topic(admin, topic, 2);
        topic(admin, in, 4);
        topic(admin, out, 2);
        configs();
        KafkaStreams s = new Streams(false).start(streams, in, out, 0);
        try (Member a = Member.of(Consumers.config(true, classic), topic);
                Member b = Member.of(Consumers.config(false, consumer), topic);
                var c = Share.consumer(share, topic)) {
            await("streams running", 30_000, s::state, () -> {
                c.poll(Duration.ofMillis(200));
                return s.state() == KafkaStreams.State.RUNNING;
            });
            Member.awaitCover("classic member", 20_000, Member.partitions(topic, 2), List.of(2), List.of(a));
            Member.awaitCover("consumer member", 20_000, Member.partitions(topic, 2), List.of(2), List.of(b));
            listing();
            otherKinds();
        } finally {
            AdminStreams.leave(s);
        }
        awaitEq("listed groups after all closed", 20_000, new TreeMap<>(Map.of(classic, "Classic/consumer/Empty",
            consumer, "Consumer/consumer/Empty", share, "Share/share/Empty", streams, "Streams/streams/Empty")),
            () -> listed(new ListGroupsOptions()));
        otherKinds();
        get(admin.deleteConsumerGroups(List.of(classic, consumer)).all());
        eq(Set.of(share, streams), listed(new ListGroupsOptions()).keySet(), "listed after deleting two");
        get(admin.deleteShareGroups(List.of(share)).all());
        get(admin.deleteStreamsGroups(List.of(streams)).all());
        eq(Map.of(), listed(new ListGroupsOptions()), "listed groups after deleting");
    }

    private void configs() throws Exception {
        groupConfig(admin, share, "share.auto.offset.reset", "earliest");
        groupConfig(admin, streams, "streams.num.standby.replicas", "1");
        groupConfig(admin, consumer, "consumer.session.timeout.ms", "50000");
        Set<String> ours = Set.of(share, streams, consumer, classic);
        awaitEq("those with configs that config resources list", 10_000, Set.of(share, streams, consumer), () -> {
            Set<String> named = AdminConfigs.named(admin);
            named.retainAll(ours);
            return named;
        });
    }

    private Map<String, String> listed(ListGroupsOptions options) throws Exception {
        return AdminParts.listed(admin, Set.of(classic, consumer, share, streams), options);
    }

    private void listing() throws Exception {
        Map<String, String> want = new TreeMap<>(Map.of(classic, "Classic/consumer/Stable", consumer,
            "Consumer/consumer/Stable", share, "Share/share/Stable", streams, "Streams/streams/Stable"));
        awaitEq("listed groups", 10_000, want, () -> listed(new ListGroupsOptions()));
        eq(Map.of(share, want.get(share)), listed(new ListGroupsOptions().withTypes(Set.of(GroupType.SHARE))),
            "by type");
        eq(Map.of(streams, want.get(streams)), listed(ListGroupsOptions.forStreamsGroups()), "streams groups");
        eq(Map.of(share, want.get(share)), listed(ListGroupsOptions.forShareGroups()), "share groups");
        eq(Set.of(classic, consumer), listed(ListGroupsOptions.forConsumerGroups()).keySet(), "consumer groups");
        eq(Set.of(classic, share), listed(new ListGroupsOptions().withTypes(Set.of(GroupType.CLASSIC,
            GroupType.SHARE))).keySet(), "by two types");
        eq(Map.of(), listed(new ListGroupsOptions().inGroupStates(Set.of(GroupState.EMPTY))), "by state Empty");
        eq(want, listed(new ListGroupsOptions().inGroupStates(Set.of(GroupState.STABLE))), "by state Stable");
    }

    private void otherKinds() {
        for (String g : List.of(consumer, share, streams))
            throwsError(GroupIdNotFoundException.class, "describe " + g + " as classic",
                () -> get(admin.describeClassicGroups(List.of(g)).all()));
        for (String g : List.of(share, streams))
            throwsError(GroupIdNotFoundException.class, "describe " + g + " as consumer",
                () -> Consumers.describe(admin, g));
        for (String g : List.of(classic, consumer, streams))
            throwsError(GroupIdNotFoundException.class, "describe " + g + " as share",
                () -> get(admin.describeShareGroups(List.of(g)).all()));
        for (String g : List.of(classic, consumer, share))
            throwsError(GroupIdNotFoundException.class, "describe " + g + " as streams",
                () -> Streams.describe(admin, g));
    }
}
