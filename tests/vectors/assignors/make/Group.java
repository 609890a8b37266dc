import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import org.apache.kafka.common.Uuid;
import org.apache.kafka.coordinator.group.api.assignor.GroupSpec;
import org.apache.kafka.coordinator.group.api.assignor.MemberAssignment;
import org.apache.kafka.coordinator.group.api.assignor.PartitionAssignor;
import org.apache.kafka.coordinator.group.api.assignor.SubscribedTopicDescriber;
import org.apache.kafka.coordinator.group.api.assignor.SubscriptionType;
import org.apache.kafka.coordinator.group.modern.Assignment;
import org.apache.kafka.coordinator.group.modern.GroupSpecImpl;
import org.apache.kafka.coordinator.group.modern.MemberSubscriptionAndAssignmentImpl;

/** A group and its topics, as Kafka's assignors are shown them. */
final class Group implements SubscribedTopicDescriber {
    /** In which order Kafka meets members, topics and a member's partitions. */
    enum Order {
        /** By id, partitions ascending: every map and set handed to Kafka is sorted. */
        INDEX,
        /** Members and topics as Java hashes them; each member's partitions in that topic order. */
        HASH,
        /** All maps and sets are hashed, as in a broker. */
        FREE
    }

    static final int RACKS = 3;

    static final class Member {
        final String id;
        final String instance;
        final String rack;
        final boolean byRegex;
        final TreeSet<Uuid> wants = new TreeSet<>();

        Member(String id, String instance, String rack, boolean byRegex) {
            this.id = id;
            this.instance = instance;
            this.rack = rack;
            this.byRegex = byRegex;
        }
    }

    final Order order;
    final TreeMap<Uuid, Integer> topics = new TreeMap<>();
    final TreeMap<String, Member> members = new TreeMap<>();
    final Map<String, Map<Uuid, Set<Integer>>> target = new HashMap<>();

    Group(Order order) {
        this.order = order;
    }

    @Override
    public int numPartitions(Uuid topicId) {
        return topics.getOrDefault(topicId, -1);
    }

    @Override
    public Set<String> racksForPartition(Uuid topicId, int partition) {
        return Set.of("rack" + partition % RACKS);
    }

    TreeSet<Uuid> subscribed() {
        TreeSet<Uuid> all = new TreeSet<>();
        members.values().forEach(m -> all.addAll(m.wants));
        return all;
    }

    /** Members by name and members by regex make a mixed group even where they want the same. */
    boolean homogeneous() {
        Set<List<Object>> kinds = new HashSet<>();
        members.values().forEach(m -> kinds.add(List.of(m.byRegex, m.wants)));
        return kinds.size() <= 1;
    }

    List<Uuid> topicOrder() {
        boolean hashed = order == Order.HASH && homogeneous();
        return new ArrayList<>(hashed ? new HashSet<>(subscribed()) : subscribed());
    }

    List<String> memberOrder() {
        return new ArrayList<>(order == Order.HASH ? spec().memberIds() : members.keySet());
    }

    private Assignment currentOf(String member) {
        Map<Uuid, Set<Integer>> mine = target.getOrDefault(member, Map.of());
        if (order == Order.FREE) return new Assignment(mine);
        Map<Uuid, Set<Integer>> sorted = new LinkedHashMap<>();
        List<Uuid> ids = topicOrder();
        // Topics that the group no longer wants are part of what a member has.
        mine.keySet().stream().sorted().filter(t -> !ids.contains(t)).forEach(ids::add);
        for (Uuid topic : ids) {
            if (mine.containsKey(topic)) sorted.put(topic, new TreeSet<>(mine.get(topic)));
        }
        return new Assignment(sorted);
    }

    private Map<Uuid, Map<Integer, String>> owners() {
        Map<Uuid, Map<Integer, String>> owners = new HashMap<>();
        target.forEach((member, mine) -> mine.forEach((topic, partitions) -> partitions.forEach(p ->
            owners.computeIfAbsent(topic, k -> new HashMap<>()).put(p, member))));
        return owners;
    }

    GroupSpec spec() {
        Map<String, MemberSubscriptionAndAssignmentImpl> specs =
            order == Order.INDEX ? new TreeMap<>() : new HashMap<>();
        for (Member m : members.values()) {
            Set<Uuid> wants = order == Order.INDEX ? m.wants : new HashSet<>(m.wants);
            // currentOf() asks for the topic order alone, never for the spec.
            specs.put(m.id, new MemberSubscriptionAndAssignmentImpl(Optional.ofNullable(m.rack),
                Optional.ofNullable(m.instance), wants, currentOf(m.id)));
        }
        SubscriptionType type =
            homogeneous() ? SubscriptionType.HOMOGENEOUS : SubscriptionType.HETEROGENEOUS;
        return new GroupSpecImpl(Collections.unmodifiableMap(specs), type, owners());
    }

    Map<String, Map<Uuid, Set<Integer>>> assign(PartitionAssignor assignor) {
        List<Uuid> hashed = new ArrayList<>(new HashSet<>(subscribed()));
        if (order == Order.INDEX && !hashed.equals(topicOrder())) {
            throw new IllegalStateException("topic ids that do not hash in order: " + hashed);
        }
        Map<String, MemberAssignment> got = assignor.assign(spec(), this).members();
        Map<String, Map<Uuid, Set<Integer>>> out = new HashMap<>();
        for (String id : members.keySet()) {
            MemberAssignment mine = got.get(id);
            out.put(id, mine == null ? Map.of() : mine.partitions());
        }
        return out;
    }

    /** The members' places in the order that a case is written in. */
    Map<String, Integer> places() {
        Map<String, Integer> places = new HashMap<>();
        for (String id : memberOrder()) places.put(id, places.size());
        return places;
    }

    /** Owners of all partitions in that order, as "0*5 -*3": member 0 five times, nobody thrice. */
    String ownersText(Map<String, Map<Uuid, Set<Integer>>> assignment) {
        Map<String, Integer> places = places();
        StringBuilder text = new StringBuilder();
        String last = null;
        int times = 0;
        for (Uuid topic : topicOrder()) {
            for (int p = 0; p < topics.get(topic); p++) {
                final int partition = p;
                String owner = assignment.entrySet().stream()
                    .filter(e -> places.containsKey(e.getKey())
                        && e.getValue().getOrDefault(topic, Set.of()).contains(partition))
                    .map(e -> Integer.toString(places.get(e.getKey())))
                    .min(Comparator.naturalOrder()).orElse("-");
                if (!owner.equals(last)) {
                    append(text, last, times);
                    last = owner;
                    times = 0;
                }
                times++;
            }
        }
        append(text, last, times);
        return text.toString();
    }

    private static void append(StringBuilder text, String owner, int times) {
        if (times > 0) text.append(' ').append(owner).append(times > 1 ? "*" + times : "");
    }
}
