package kit;

import static kit.Kit.*;

import java.util.*;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.common.*;
import org.apache.kafka.common.errors.UnknownMemberIdException;

/** Removing members of classic and of consumer groups. */
final class AdminMembers {
    private final Admin admin;
    private final String topic = fresh("t");
    private final Set<TopicPartition> both = Member.partitions(topic, 2);

    AdminMembers(Admin admin) { this.admin = admin; }

    void run() throws Exception {
        topic(admin, topic, 2);
        String never = fresh("none");
        throwsError(UnknownMemberIdException.class, "remove an instance from a group that never was",
            () -> get(remove(never, "I").all()));
        throwsError(KafkaException.class, "remove all from a group that never was", () -> get(removeAll(never).all()));
        staticMember(true);
        staticMember(false);
        dynamicMembers(true, 2);
        dynamicMembers(false, 1);
    }

    private RemoveMembersFromConsumerGroupResult remove(String group, String... instances) {
        Set<MemberToRemove> members = new HashSet<>();
        for (String i : instances) members.add(new MemberToRemove(i));
        return admin.removeMembersFromConsumerGroup(group, new RemoveMembersFromConsumerGroupOptions(members));
    }

    private RemoveMembersFromConsumerGroupResult removeAll(String group) {
        var options = new RemoveMembersFromConsumerGroupOptions();
        options.reason("all must go");
        return admin.removeMembersFromConsumerGroup(group, options);
    }

    /** Runs it and waits until each member has lost its partitions and is back. */
    private void awaitRejoin(String what, String group, List<Member> members, Part removal) throws Exception {
        List<Integer> lost = members.stream().map(m -> m.lostPartitions.get()).toList();
        List<Integer> calls = members.stream().map(m -> m.assignedCalls.get()).toList();
        removal.run();
        for (int i = 0; i < members.size(); i++) {
            Member m = members.get(i);
            int had = lost.get(i), assigned = calls.get(i), share = 2 / members.size();
            await(what + ": the member loses its partitions and gets some again", 20_000,
                () -> m.lostPartitions + " lost, " + m.assignedCalls + " assignments, " + m.error,
                () -> m.lostPartitions.get() == had + share && m.assignedCalls.get() > assigned);
        }
        Member.awaitCover(what + ": joined again", 20_000, both,
            Collections.nCopies(members.size(), 2 / members.size()), members);
        eq(members.size(), Consumers.describe(admin, group).members().size(), "members described");
    }

    private void staticMember(boolean classic) throws Exception {
        String kind = classic ? "classic" : "consumer", group = fresh("ak");
        Member m = Member.of(Consumers.config(classic, group, "group.instance.id", "I"), topic);
        Member.awaitCover("static " + kind + " member", 20_000, both, List.of(2), List.of(m));
        throwsError(UnknownMemberIdException.class, "remove an instance the group does not know",
            () -> get(remove(group, "J").all()));
        eq(2, m.owned.size(), "partitions after removing another");
        awaitRejoin("remove a static " + kind + " member", group, List.of(m), () -> {
            var removed = remove(group, "J", "I");
            get(removed.memberResult(new MemberToRemove("I")));
            throwsError(UnknownMemberIdException.class, "the unknown instance of two",
                () -> get(removed.memberResult(new MemberToRemove("J"))));
        });
        m.close();
        eq(List.of("I"), Consumers.describe(admin, group).members().stream()
            .map(d -> d.groupInstanceId().orElseThrow()).toList(), "instances of a static member that was closed");
        get(removeAll(group).all());
        awaitEq("state after removing it", 10_000, GroupState.EMPTY,
            () -> Consumers.describe(admin, group).groupState());
        eq(0, Consumers.describe(admin, group).members().size(), "members");
        throwsError(UnknownMemberIdException.class, "remove it again", () -> get(remove(group, "I").all()));
        get(admin.deleteConsumerGroups(List.of(group)).all());
    }

    private void dynamicMembers(boolean classic, int count) throws Exception {
        String kind = classic ? "classic" : "consumer", group = fresh("ak");
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < count; i++) members.add(Member.of(Consumers.config(classic, group), topic));
        Member.awaitCover(kind + " members", 20_000, both, Collections.nCopies(count, 2 / count), members);
        awaitRejoin("remove all " + kind + " members", group, members, () -> get(removeAll(group).all()));
        for (Member m : members) m.close();
        get(admin.deleteConsumerGroups(List.of(group)).all());
    }
}
