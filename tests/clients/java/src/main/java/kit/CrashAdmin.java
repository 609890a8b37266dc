package kit;

import static kit.Kit.*;

import java.util.*;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.*;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.*;

/**
 * Makes, changes and deletes topics, configs, and groups without members, and knows how all of them must be. Serial:
 * whoever looks comes between two changes, of which the one before was acknowledged.
 */
final class CrashAdmin implements AutoCloseable {
    private record Topic(Uuid id, int partitions, String retentionMs) { }

    private static final int TOPICS = 12, GROUPS = 12;
    private final Admin admin = Admin.create(Map.<String, Object>of("bootstrap.servers", boot,
        "reconnect.backoff.max.ms", 100, "retry.backoff.max.ms", 100));
    private final Random random;
    private final Map<String, Topic> topics = new TreeMap<>();
    private final Map<String, OffsetAndMetadata> groups = new TreeMap<>();
    private final Map<String, String> sessionTimeouts = new TreeMap<>();
    private final TopicPartition at = new TopicPartition(CrashLoad.TOPICS.get(0), 0);
    private long changes;

    CrashAdmin(long seed) { random = new Random(seed); }

    synchronized long changes() { return changes; }

    synchronized void change() throws Exception {
        String topic = "crash-made-" + random.nextInt(TOPICS), group = "crash-idle-" + random.nextInt(GROUPS);
        switch (random.nextInt(5)) {
            case 0 -> { if (topics.containsKey(topic)) delete(topic); else create(topic); }
            case 1 -> { if (topics.containsKey(topic)) retention(topic); else create(topic); }
            case 2 -> sessionTimeout(group);
            case 3 -> { if (groups.containsKey(group) && random.nextInt(3) == 0) forget(group); else commit(group); }
            default -> commit(group);
        }
        changes++;
    }

    /** A call that was sent again after a kill may find done what it asks for. */
    private <T> void done(KafkaFuture<T> future, Class<? extends Throwable> already) throws Exception {
        try {
            get(future);
        } catch (ExecutionException e) {
            if (!already.isInstance(e.getCause())) throw e;
        }
    }

    private void create(String name) throws Exception {
        int partitions = 1 + random.nextInt(6);
        String retentionMs = Long.toString(3_600_000L + random.nextInt(1_000_000));
        done(admin.createTopics(List.of(new NewTopic(name, partitions, (short) 1)
            .configs(Map.of("retention.ms", retentionMs)))).all(), TopicExistsException.class);
        var id = get(admin.describeTopics(List.of(name)).allTopicNames()).get(name).topicId();
        topics.put(name, new Topic(id, partitions, retentionMs));
    }

    private void delete(String name) throws Exception {
        done(admin.deleteTopics(List.of(name)).all(), UnknownTopicOrPartitionException.class);
        topics.remove(name);
    }

    private static ConfigResource resource(String topic) {
        return new ConfigResource(ConfigResource.Type.TOPIC, topic);
    }

    private void retention(String name) throws Exception {
        String ms = Long.toString(3_600_000L + random.nextInt(1_000_000));
        get(admin.incrementalAlterConfigs(Map.of(resource(name), List.of(new AlterConfigOp(
            new ConfigEntry("retention.ms", ms), AlterConfigOp.OpType.SET)))).all());
        topics.computeIfPresent(name, (n, t) -> new Topic(t.id, t.partitions, ms));
    }

    private void sessionTimeout(String group) throws Exception {
        String ms = Integer.toString(45_000 + random.nextInt(15_000));
        groupConfig(admin, group, "consumer.session.timeout.ms", ms);
        sessionTimeouts.put(group, ms);
    }

    private void commit(String group) throws Exception {
        var offset = new OffsetAndMetadata(random.nextInt(1_000_000), "note " + random.nextInt());
        get(admin.alterConsumerGroupOffsets(group, Map.of(at, offset)).all());
        groups.put(group, offset);
    }

    private void forget(String group) throws Exception {
        done(admin.deleteConsumerGroups(List.of(group)).all(), GroupIdNotFoundException.class);
        groups.remove(group);
    }

    /** That everything is as it was last acknowledged. */
    synchronized void check() throws Exception {
        var described = get(admin.describeTopics(get(admin.listTopics().names()).stream()
            .filter(n -> n.startsWith("crash-made-")).toList()).allTopicNames());
        var configs = get(admin.describeConfigs(described.keySet().stream().map(CrashAdmin::resource).toList()).all());
        Map<String, Topic> found = new TreeMap<>();
        described.forEach((name, d) -> found.put(name, new Topic(d.topicId(), d.partitions().size(),
            configs.get(resource(name)).get("retention.ms").value())));
        same(topics, found, "topics");

        Map<String, OffsetAndMetadata> offsets = new TreeMap<>();
        Set<String> listed = get(admin.listGroups().all()).stream().map(GroupListing::groupId)
            .filter(g -> g.startsWith("crash-idle-")).collect(Collectors.toCollection(TreeSet::new));
        same(groups.keySet(), listed, "groups");
        for (String group : listed)
            offsets.put(group, get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()).get(at));
        same(groups, offsets, "offsets of groups without members");

        Map<String, String> timeouts = new TreeMap<>();
        var resources = sessionTimeouts.keySet().stream().map(Kit::groupResource).toList();
        get(admin.describeConfigs(resources).all()).forEach((group, config) ->
            timeouts.put(group.name(), config.get("consumer.session.timeout.ms").value()));
        same(sessionTimeouts, timeouts, "group configs");
    }

    private static void same(Object want, Object got, String what) {
        if (!want.equals(got)) throw new Fail(what + " are not as acknowledged: want " + want + ", got " + got);
    }

    Map<TopicPartition, Long> committed(String group) throws Exception {
        return Consumers.committed(admin, group);
    }

    /** The members' ids and epochs. */
    Map<String, Integer> members(String group) throws Exception {
        return Consumers.describe(admin, group).members().stream()
            .collect(Collectors.toMap(MemberDescription::consumerId, m -> m.memberEpoch().orElseThrow()));
    }

    void topic(String name, int partitions) throws Exception {
        Kit.topic(admin, name, partitions);
    }

    @Override public void close() { admin.close(); }
}
