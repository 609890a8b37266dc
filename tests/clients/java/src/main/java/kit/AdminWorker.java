package kit;

import java.util.List;
import org.apache.kafka.common.message.*;

/** A worker of a Connect cluster, as far as a classic group that elects its leader needs one. */
final class AdminWorker {
    private static final String TYPE = "connect", PROTOCOL = "default";

    private AdminWorker() { }

    /** A group of this one static member, stable; it stays a member for a minute without another word. */
    static void join(String group, String instance) throws Exception {
        var protocols = new JoinGroupRequestData.JoinGroupRequestProtocolCollection();
        protocols.add(new JoinGroupRequestData.JoinGroupRequestProtocol().setName(PROTOCOL).setMetadata(new byte[0]));
        try (Wire wire = new Wire(Integer.parseInt(Kit.boot.substring(Kit.boot.lastIndexOf(':') + 1)))) {
            var joined = wire.joinGroup(new JoinGroupRequestData().setGroupId(group).setGroupInstanceId(instance)
                .setMemberId("").setProtocolType(TYPE).setProtocols(protocols).setSessionTimeoutMs(60_000)
                .setRebalanceTimeoutMs(60_000));
            Kit.eq(List.of((short) 0, PROTOCOL), List.of(joined.errorCode(), joined.protocolName()), "a worker joined");
            var synced = wire.syncGroup(new SyncGroupRequestData().setGroupId(group).setGroupInstanceId(instance)
                .setMemberId(joined.memberId()).setGenerationId(joined.generationId()).setProtocolType(TYPE)
                .setProtocolName(PROTOCOL).setAssignments(List.of(new SyncGroupRequestData.SyncGroupRequestAssignment()
                    .setMemberId(joined.memberId()).setAssignment(new byte[0]))));
            Kit.eq((short) 0, synced.errorCode(), "and synced");
        }
    }
}
