package kit;

import static kit.Kit.*;

import java.util.*;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/**
 * What the server's default assignor gives two members on four partitions. The part says what that must be, a
 * member's partitions after the other's: 0,2/1,3.
 */
final class Assignment {
    private Assignment() { }

    static void run() throws Exception {
        if (only == null) throw new Fail("no part: which assignment is wanted, as in 0,2/1,3");
        Set<Set<Integer>> want = Arrays.stream(only.split("/"))
            .map(one -> Arrays.stream(one.split(",")).map(Integer::valueOf).collect(Collectors.toSet()))
            .collect(Collectors.toSet());
        try (Admin admin = admin()) {
            String topic = topic(admin, fresh("t"), 4), group = fresh("g");
            try (Member first = Member.of(Consumers.config(false, group), topic)) {
                Member.awaitCover("one member", 30_000, Member.partitions(topic, 4), List.of(4), List.of(first));
                try (Member second = Member.of(Consumers.config(false, group), topic)) {
                    awaitEq("assignment", 30_000, want, () -> Set.of(numbers(first), numbers(second)));
                    say("assignor: " + Consumers.describe(admin, group).partitionAssignor());
                }
            }
        }
    }

    private static Set<Integer> numbers(Member member) {
        if (member.error != null) throw new Fail("member error: " + member.error);
        return member.owned.stream().map(TopicPartition::partition).collect(Collectors.toSet());
    }
}
