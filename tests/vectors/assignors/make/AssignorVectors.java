import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.PartitionAssignor;
import org.apache.kafka.coordinator.group.assignor.RangeAssignor;
import org.apache.kafka.coordinator.group.assignor.UniformAssignor;

/**
 * Writes what Kafka 4.4.0's range and uniform assignors do with many groups. A story is a group
 * that lives through random events; every event is a case, its outcome is the next one's start.
 * The same seed gives the same files. README.md beside the files describes the format.
 */
public final class AssignorVectors {
    private static final int STEPS = 9;

    private final Random random;
    private final Group group;
    private final boolean mixed;
    private final Map<PartitionAssignor, PrintWriter> outputs;
    private final List<Uuid> bornTopics = new ArrayList<>();
    private int memberCount;

    private AssignorVectors(long seed, Group.Order order,
                            Map<PartitionAssignor, PrintWriter> outputs) {
        random = new Random(seed);
        group = new Group(order);
        mixed = seed % 2 == 1;
        this.outputs = outputs;
    }

    // ---- the cast ----
    private Uuid newTopicId() {
        // Ids that Java hashes in their own order, as long as there are no more than 16.
        if (group.order == Group.Order.INDEX) return new Uuid(0x4000, bornTopics.size());
        return new Uuid(random.nextLong(), random.nextLong());
    }

    private boolean mayBearTopic() {
        return group.order != Group.Order.INDEX || bornTopics.size() < 16;
    }

    private void bearTopic(int partitions) {
        Uuid id = newTopicId();
        bornTopics.add(id);
        group.topics.put(id, partitions);
    }

    private String newMemberId() {
        memberCount++;
        if (random.nextInt(4) == 0) return "member-" + memberCount;
        return new Uuid(random.nextLong(), random.nextLong()).toString();
    }

    private TreeSet<Uuid> someTopics() {
        TreeSet<Uuid> some = new TreeSet<>();
        int style = random.nextInt(4);
        for (Uuid id : group.topics.keySet()) {
            if (style == 0 || random.nextInt(3) < style) some.add(id);
        }
        return some;
    }

    private Group.Member join() {
        String instance = random.nextInt(3) == 0 ? "instance-" + random.nextInt(1000) : null;
        for (Group.Member other : group.members.values()) {
            if (instance != null && instance.equals(other.instance)) instance = null;
        }
        String rack = random.nextBoolean() ? "rack" + random.nextInt(Group.RACKS) : null;
        boolean byRegex = mixed && random.nextInt(8) == 0;
        Group.Member member = new Group.Member(newMemberId(), instance, rack, byRegex);
        member.wants.addAll(mixed ? someTopics() : group.topics.keySet());
        group.members.put(member.id, member);
        return member;
    }

    private Group.Member anyMember() {
        List<Group.Member> all = new ArrayList<>(group.members.values());
        return all.get(random.nextInt(all.size()));
    }

    private Uuid anyTopic() {
        List<Uuid> all = new ArrayList<>(group.topics.keySet());
        return all.get(random.nextInt(all.size()));
    }

    private void leave(Group.Member member) {
        group.members.remove(member.id);
        group.target.remove(member.id);
    }

    /** A static member comes back under a new member id and takes over what it had. */
    private String comeBack(Group.Member old) {
        if (old.instance == null) return "nothing-changed";
        Group.Member back = new Group.Member(newMemberId(), old.instance, old.rack, old.byRegex);
        back.wants.addAll(old.wants);
        Map<Uuid, Set<Integer>> had = group.target.get(old.id);
        leave(old);
        group.members.put(back.id, back);
        if (had != null) group.target.put(back.id, had);
        return "came-back";
    }

    // ---- the events ----
    private String event() {
        switch (group.members.isEmpty() ? 0 : random.nextInt(10)) {
            case 0: return joinSome();
            case 1:
                leave(anyMember());
                return "left";
            case 2:
                for (int n = 1 + random.nextInt(4); n > 0 && !group.members.isEmpty(); n--) {
                    leave(anyMember());
                }
                return "several-left";
            case 3: return grow();
            case 4: return deleteTopic();
            case 5: return createTopic();
            case 6: return changeSubscription();
            case 7: return comeBack(anyMember());
            case 8: return "nothing-changed";
            default: return joinSome();
        }
    }

    private String joinSome() {
        int n = random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 1;
        for (int i = 0; i < n; i++) join();
        return "joined";
    }

    private String grow() {
        if (group.topics.isEmpty()) return createTopic();
        group.topics.merge(anyTopic(), 1 + random.nextInt(6), Integer::sum);
        return "topic-grown";
    }

    private String deleteTopic() {
        if (group.topics.isEmpty()) return createTopic();
        Uuid gone = anyTopic();
        group.topics.remove(gone);
        group.members.values().forEach(m -> m.wants.remove(gone));
        return "topic-deleted";
    }

    private String createTopic() {
        if (!mayBearTopic()) return "nothing-changed";
        bearTopic(1 + random.nextInt(12));
        Uuid id = bornTopics.get(bornTopics.size() - 1);
        for (Group.Member m : group.members.values()) {
            if (!mixed || random.nextBoolean()) m.wants.add(id);
        }
        return "topic-created";
    }

    private String changeSubscription() {
        TreeSet<Uuid> wants = someTopics();
        if (mixed && random.nextInt(3) == 0) wants.clear();
        for (Group.Member m : mixed ? List.of(anyMember()) : group.members.values()) {
            m.wants.clear();
            m.wants.addAll(wants);
        }
        return "subscription-changed";
    }

    // ---- the file ----
    private void writeCase(PrintWriter out, String name, PartitionAssignor assignor) {
        out.println("case " + name + ' ' + group.order.name().toLowerCase(java.util.Locale.ROOT));
        List<Uuid> topics = group.topicOrder();
        out.println("topics" + topics.stream().map(t -> " " + group.topics.get(t))
            .collect(Collectors.joining()));
        List<List<Object>> kinds = new ArrayList<>();
        StringBuilder members = new StringBuilder();
        for (String id : group.memberOrder()) {
            Group.Member m = group.members.get(id);
            List<Object> kind = List.of(m.byRegex, m.wants);
            if (!kinds.contains(kind)) kinds.add(kind);
            members.append(' ').append(m.id)
                .append('/').append(m.instance == null ? "" : m.instance)
                .append('/').append(m.rack == null ? "" : m.rack)
                .append('/').append(kinds.indexOf(kind));
        }
        StringBuilder subscriptions = new StringBuilder();
        for (List<Object> kind : kinds) {
            Set<?> wants = (Set<?>) kind.get(1);
            String text = topics.stream().filter(wants::contains)
                .map(t -> Integer.toString(topics.indexOf(t))).collect(Collectors.joining(","));
            subscriptions.append(' ').append(text.isEmpty() ? "-" : text);
        }
        out.println("subscriptions" + subscriptions);
        out.println("members" + members);
        out.println("current" + group.ownersText(group.target));
        out.println("owners" + group.ownersText(group.assign(assignor)));
    }

    private void tell(String name) {
        for (int i = random.nextInt(random.nextInt(4) == 0 ? 12 : 5); i >= 0; i--) {
            int most = random.nextInt(4) == 0 ? 60 : 12;
            if (mayBearTopic()) bearTopic(1 + random.nextInt(most));
        }
        int most = random.nextInt(4) == 0 ? 40 : 8;
        for (int i = random.nextInt(most); i >= 0; i--) join();
        String event = "first";
        for (int step = 0; step < STEPS; step++) {
            Map<String, Map<Uuid, Set<Integer>>> next = null;
            for (Map.Entry<PartitionAssignor, PrintWriter> e : outputs.entrySet()) {
                writeCase(e.getValue(), name + '-' + step + '-' + event, e.getKey());
                if (e.getKey() instanceof UniformAssignor) next = group.assign(e.getKey());
            }
            group.target.clear();
            group.target.putAll(next);
            event = event();
        }
    }

    private static PrintWriter create(Path file) throws IOException {
        return new PrintWriter(new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(file)), StandardCharsets.UTF_8));
    }

    public static void main(String[] args) throws IOException {
        try (PrintWriter range = create(Path.of(args[0], "range.txt.gz"));
             PrintWriter uniform = create(Path.of(args[0], "uniform.txt.gz"))) {
            PartitionAssignor uniformAssignor = new UniformAssignor();
            for (Group.Order order : Group.Order.values()) {
                for (int story = 0; story < 60; story++) {
                    Map<PartitionAssignor, PrintWriter> outputs = new HashMap<>();
                    outputs.put(uniformAssignor, uniform);
                    // Range looks at neither the current owners nor any order but its own.
                    if (order == Group.Order.FREE) outputs.put(new RangeAssignor(), range);
                    long seed = 1000L * order.ordinal() + story;
                    new AssignorVectors(seed, order, outputs).tell("story" + seed);
                }
            }
        }
    }
}
