package kit;

import static kit.Kit.*;

import java.util.*;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.common.errors.InvalidConfigurationException;

/** S7: the admin side of every kind of group: the parts and what they have in common. */
final class AdminParts {
    private AdminParts() { }

    static void run() throws Exception {
        Map<String, Part> parts = new LinkedHashMap<>();
        parts.put("groups", () -> {
            try (Admin admin = admin()) {
                new AdminGroups(admin).run();
                new AdminMembers(admin).run();
            }
        });
        parts.put("share", () -> {
            try (Admin admin = admin()) {
                new AdminShare(admin).run();
            }
        });
        parts.put("streams", () -> {
            try (Admin admin = admin()) {
                new AdminStreams(admin).run();
            }
        });
        parts.put("all-kinds", () -> {
            try (Admin admin = admin()) {
                new AdminAllKinds(admin).run();
            }
        });
        together(parts);
    }

    /** "type/protocol/state" of those of our groups that a listing has. */
    static Map<String, String> listed(Admin admin, Collection<String> ours, ListGroupsOptions options)
            throws Exception {
        return new TreeMap<>(get(admin.listGroups(options).all()).stream().filter(g -> ours.contains(g.groupId()))
            .collect(Collectors.toMap(GroupListing::groupId,
                g -> g.type().orElseThrow() + "/" + g.protocol() + "/" + g.groupState().orElseThrow())));
    }

    static Config config(Admin admin, String group) throws Exception {
        return get(admin.describeConfigs(List.of(groupResource(group))).all()).get(groupResource(group));
    }

    static List<String> values(Admin admin, String group, String... names) throws Exception {
        Config c = config(admin, group);
        return Arrays.stream(names).map(n -> c.get(n).value()).collect(Collectors.toList());
    }

    static List<ConfigEntry.ConfigSource> sources(Admin admin, String group, String... names) throws Exception {
        Config c = config(admin, group);
        return Arrays.stream(names).map(n -> c.get(n).source()).collect(Collectors.toList());
    }

    /** Takes the group's own values of these configs away. */
    static void reset(Admin admin, String group, String... names) throws Exception {
        List<AlterConfigOp> ops = Arrays.stream(names)
            .map(n -> new AlterConfigOp(new ConfigEntry(n, null), AlterConfigOp.OpType.DELETE)).toList();
        get(admin.incrementalAlterConfigs(Map.of(groupResource(group), ops)).all());
    }

    /** Each name=value is refused whatever kind of group it is for. */
    static void refused(Admin admin, String group, String[]... bad) {
        for (String[] kv : bad)
            throwsError(InvalidConfigurationException.class, kv[0] + "=" + kv[1],
                () -> groupConfig(admin, group, kv[0], kv[1]));
    }
}
