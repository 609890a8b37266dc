package kit;

import static kit.Kit.*;
import static org.apache.kafka.clients.admin.AlterConfigOp.OpType.*;
import static org.apache.kafka.clients.admin.ConfigEntry.ConfigSource.*;

import java.util.*;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.*;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.*;

/** The configs of a consumer group; they are there before the group is and stay when it is deleted. */
final class AdminConfigs {
    private static final String SESSION = "consumer.session.timeout.ms", HEARTBEAT = "consumer.heartbeat.interval.ms",
        INTERVAL = "consumer.assignment.interval.ms";
    private final Admin admin;
    private final String group;

    AdminConfigs(Admin admin, String group) {
        this.admin = admin;
        this.group = group;
    }

    /** Sets a session timeout and a heartbeat interval and tries what must be refused. */
    void set() throws Exception {
        List<String> defaults = List.of("45000", "5000");
        eq(defaults, AdminParts.values(admin, group, SESSION, HEARTBEAT), "configs of a group without any");
        eq(List.of(DEFAULT_CONFIG, DEFAULT_CONFIG), AdminParts.sources(admin, group, SESSION, HEARTBEAT),
            "their sources");
        check(!named().contains(group), "config resources do not list it");
        get(alter(true, SESSION, "50000", SET).all());
        groupConfig(admin, group, SESSION, "50000", HEARTBEAT, "6000");
        awaitSet();
        eq(List.of(DYNAMIC_GROUP_CONFIG, DYNAMIC_GROUP_CONFIG, DEFAULT_CONFIG),
            AdminParts.sources(admin, group, SESSION, HEARTBEAT, INTERVAL), "sources, two set and one not");
        check(named().contains(group), "config resources list it");
        bad();
        eq(List.of("50000", "6000"), AdminParts.values(admin, group, SESSION, HEARTBEAT), "configs after all that");
        eq(Map.of(), AdminParts.listed(admin, Set.of(group), new ListGroupsOptions()), "groups that configs make");
    }

    void awaitSet() throws Exception {
        awaitEq("consumer group config", 10_000, List.of("50000", "6000"),
            () -> AdminParts.values(admin, group, SESSION, HEARTBEAT));
    }

    private void bad() {
        AdminParts.refused(admin, group, new String[][] {{SESSION, "1"}, {SESSION, "a minute"}, {SESSION, "5000"},
            {HEARTBEAT, "1"}, {HEARTBEAT, "60000"}, {INTERVAL, "-1"}, {"consumer.assignor.offload.enable", "perhaps"},
            {"no.such.config", "1"}, {"group." + SESSION, "50000"}, {"", ""}});
        throwsError(InvalidConfigurationException.class, "a good and a bad value together",
            () -> groupConfig(admin, group, SESSION, "55000", HEARTBEAT, "1"));
        throwsError(InvalidConfigurationException.class, "append to what is no list",
            () -> get(alter(false, SESSION, "1", APPEND).all()));
        throwsError(InvalidConfigurationException.class, "subtract from what is no list",
            () -> get(alter(false, SESSION, "1", SUBTRACT).all()));
        throwsError(InvalidConfigurationException.class, "validate a bad value",
            () -> get(alter(true, SESSION, "1", SET).all()));
        throwsError(InvalidRequestException.class, "one config twice",
            () -> groupConfig(admin, group, SESSION, "50000", SESSION, "51000"));
        throwsError(InvalidRequestException.class, "a config for all groups",
            () -> groupConfig(admin, "", SESSION, "50000"));
        throwsError(InvalidRequestException.class, "describe the configs of no group",
            () -> AdminParts.config(admin, ""));
    }

    private AlterConfigsResult alter(boolean onlyValidate, String name, String value, AlterConfigOp.OpType type) {
        return admin.incrementalAlterConfigs(
            Map.of(groupResource(group), List.of(new AlterConfigOp(new ConfigEntry(name, value), type))),
            new AlterConfigsOptions().validateOnly(onlyValidate));
    }

    /** Takes the values away, one and then the other. */
    void reset() throws Exception {
        AdminParts.reset(admin, group, SESSION, INTERVAL);
        awaitEq("configs after a reset", 10_000, List.of("45000", "6000"),
            () -> AdminParts.values(admin, group, SESSION, HEARTBEAT));
        eq(List.of(DEFAULT_CONFIG, DYNAMIC_GROUP_CONFIG), AdminParts.sources(admin, group, SESSION, HEARTBEAT),
            "their sources");
        AdminParts.reset(admin, group, HEARTBEAT);
        awaitEq("config resources list it after a reset of all", 10_000, false, () -> named().contains(group));
        eq(List.of("45000", "5000"), AdminParts.values(admin, group, SESSION, HEARTBEAT), "configs");
    }

    private Set<String> named() throws Exception {
        return named(admin);
    }

    /** The groups that config resources list. */
    static Set<String> named(Admin admin) throws Exception {
        return get(admin.listConfigResources(Set.of(ConfigResource.Type.GROUP), new ListConfigResourcesOptions())
            .all()).stream().map(ConfigResource::name).collect(Collectors.toSet());
    }
}
