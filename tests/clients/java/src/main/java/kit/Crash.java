package kit;

import static kit.Kit.*;

import java.nio.file.*;
import java.util.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.message.*;
import org.apache.kafka.common.protocol.Errors;

/**
 * A host that is killed again and again under load, at times with a last write that is torn: what was acknowledged
 * must be there, and all go on. crash.sh says which host, and how often.
 */
final class Crash {
    private static final String PROBE = "crash-probe", DOOMED = "crash-doomed";
    private static final long DOOMED_OFFSET = 7;

    private final int kills = Integer.parseInt(System.getenv("CRASH_KILLS"));
    private final long seed = Long.parseLong(System.getenv("CRASH_SEED"));
    private final Random random = new Random(seed);
    private final CrashHost host = new CrashHost(Integer.parseInt(boot.substring(boot.lastIndexOf(':') + 1)),
        Path.of(System.getenv("CRASH_WORK")), System.getenv("CRASH_COMMAND"));
    private final CrashLedger ledger = new CrashLedger();
    private final CrashLoad load = new CrashLoad(ledger, seed);
    /** A member of a group of its own, by hand: what it is told shows at once. */
    private final ConsumerGroupHeartbeatRequestData member = new ConsumerGroupHeartbeatRequestData()
        .setGroupId(PROBE).setMemberId("probe-member");
    private final List<long[]> times = new ArrayList<>();
    private int probed, cut;
    private final Map<String, Integer> happened = new TreeMap<>();
    private final List<String> now = new ArrayList<>();

    private Crash() { }

    static void run() throws Exception {
        new Crash().all();
    }

    private void all() throws Exception {
        try {
            serve();
        } catch (Throwable e) {
            say("this round: " + now);
            throw e;
        }
    }

    private void serve() throws Exception {
        say(kills + " kills, seed " + seed);
        host.start();
        await("host serves", 20_000, () -> "no answer", this::answers);
        try (CrashAdmin admin = new CrashAdmin(seed); var reader = CrashLedger.reader()) {
            for (String topic : CrashLoad.TOPICS) admin.topic(topic, CrashLoad.PARTITIONS);
            admin.topic(PROBE, 1);
            admin.topic(DOOMED, 1);
            admin.committed(PROBE);  // whoever asks for the coordinator first makes it
            try (Wire wire = new Wire(host.port)) {
                eq((short) 0, join(wire), "the member joins");
            }
            load.start();
            load.spawn("admin", () -> {
                while (!load.stopped()) load.guarded(admin::change);
            });
            awaitEq("steady members", 30_000, CrashLoad.MEMBERS, () -> admin.members(CrashLoad.STEADY).size());
            await("records flow", 30_000, load::delivered, () -> load.delivered() > 500);
            for (int i = 1; i <= kills; i++) {
                round(admin);
                admin.check();
                ledger.checkNewest(reader, 20);
                ledger.check();
                goOn("kill " + i + " " + now);
                now.clear();
            }
            load.stop();
            ledger.check();
            verify(admin, reader);
        }
        host.stop();
        report();
    }

    private boolean answers() {
        try (Wire wire = new Wire(host.port)) {
            wire.apiVersions();
            return true;
        } catch (Exception e) {
            return false;
        }
    }

    private short join(Wire wire) throws Exception {
        var answer = wire.heartbeat(member.duplicate().setMemberEpoch(0).setRebalanceTimeoutMs(60_000)
            .setSubscribedTopicNames(List.of(PROBE)).setTopicPartitions(List.of()));
        member.setMemberEpoch(answer.memberEpoch());
        return answer.errorCode();
    }

    /** A time under load, a kill, what a loss of power does, and the start of the host. */
    private void round(CrashAdmin admin) throws Exception {
        Thread.sleep(100 + random.nextInt(1000));
        Map<String, Integer> members = admin.members(CrashLoad.STEADY);
        Map<String, Map<TopicPartition, Long>> commits = new HashMap<>();
        for (String group : ledger.groups()) commits.put(group, ledger.commitsOf(group));
        int kind = random.nextInt(10);
        if (kind < 3) {
            cut();
        } else {
            Thread.sleep(random.nextInt(200));
            host.kill();
            if (kind < 7) tear();
        }
        if (kind >= 7) happens("killed");
        if (random.nextInt(5) == 0) {
            host.start();
            Thread.sleep(random.nextInt(60));
            host.kill();
            happens("killed while starting");
        }
        probe(host.start());
        for (String group : commits.keySet())
            CrashLedger.checkCommits(group, commits.get(group), admin.committed(group));
        Map<String, Integer> after = admin.members(CrashLoad.STEADY);
        if (!after.keySet().equals(members.keySet()))
            throw new Fail("the members were " + members.keySet() + " and are " + after.keySet());
        members.forEach((id, epoch) -> {
            if (after.get(id) < epoch) throw new Fail("member " + id + " was in epoch " + epoch + ", now " + after.get(id));
        });
        checkCut(admin);
    }

    private void happens(String what) {
        now.add(what);
        happened.merge(what, 1, Integer::sum);
    }

    private void tear() throws Exception {
        List<Path> files = new ArrayList<>(List.of(host.writeAheadLog()));
        for (String kind : List.of("log", "index"))
            for (Path segment : host.newestSegments(kind)) if (random.nextInt(3) == 0) files.add(segment);
        for (Path file : files) {
            TornWrite how = TornWrite.values()[random.nextInt(TornWrite.values().length)];
            how.append(file, random);
            happens("torn: " + how.toString().toLowerCase(Locale.ROOT));
        }
    }

    /** Writes that nobody hears about: they may be torn anywhere. */
    private void cut() throws Exception {
        load.quietly(() -> {
            Path log = host.writeAheadLog();
            long whole = Files.size(log);
            Map<Path, Long> indexes = new HashMap<>();
            for (Path index : host.newestSegments("index")) indexes.put(index, Files.size(index));
            Path grown = null;
            try (Wire wire = new Wire(host.port)) {
                wire.send(Wire.commitRequest(DOOMED, DOOMED, DOOMED_OFFSET, "n".repeat(1 + random.nextInt(4000))));
                wire.send(Wire.produceRequest(DOOMED, new byte[1 + random.nextInt(60_000)]));
                long end = System.nanoTime() + 10_000_000_000L;
                while (Files.size(log) == whole || grown == null) {
                    for (Path index : host.newestSegments("index"))
                        if (Files.size(index) > indexes.getOrDefault(index, 0L)) grown = index;
                    if (!host.writeAheadLog().equals(log)) break;
                    if (System.nanoTime() > end) throw new Fail("the logs do not grow");
                }
                host.kill();
            }
            if (!host.writeAheadLog().equals(log) || grown == null) return;
            TornWrite.cut(log, whole, random);
            TornWrite.cut(grown, indexes.getOrDefault(grown, 0L), random);
            cut++;
            happens("cut");
        });
    }

    /** A write that was torn is not there, in no part. */
    private void checkCut(CrashAdmin admin) throws Exception {
        Map<TopicPartition, Long> got = admin.committed(DOOMED);
        if (cut > 0 && cut == happened.get("cut") && !got.isEmpty())
            throw new Fail("a commit that was torn is there: " + got);
    }

    /** From the start to the first answer, the first record taken, and the member's first heartbeat; in ms. */
    private void probe(long start) throws Exception {
        long[] ms = new long[3];
        long end = start + 20_000_000_000L;
        while (!answers()) {
            host.alive();
            if (System.nanoTime() > end) throw new Fail("no answer within 20 s of the start");
            Thread.sleep(1);
        }
        ms[0] = (System.nanoTime() - start) / 1_000_000;
        try (Wire wire = new Wire(host.port)) {
            var taken = wire.produce(PROBE, new byte[] {1});
            eqQuiet(Errors.NONE, Errors.forCode(taken.errorCode()), "produce after the start");
            eqQuiet((long) probed++, taken.baseOffset(), "the probe's offset");
            ms[1] = (System.nanoTime() - start) / 1_000_000;
            for (;;) {
                var answer = wire.heartbeat(member.duplicate());
                Errors error = Errors.forCode(answer.errorCode());
                boolean again = error == Errors.COORDINATOR_LOAD_IN_PROGRESS || error == Errors.NOT_COORDINATOR
                    || error == Errors.COORDINATOR_NOT_AVAILABLE;
                if (!again) {
                    eqQuiet(Errors.NONE, error, "heartbeat after the start");
                    eqQuiet(member.memberEpoch(), answer.memberEpoch(), "the member's epoch");
                    break;
                }
                if (System.nanoTime() > end) throw new Fail("heartbeat within 20 s of the start: " + error);
            }
            ms[2] = (System.nanoTime() - start) / 1_000_000;
        }
        times.add(ms);
    }

    private static void eqQuiet(Object want, Object got, String what) {
        if (!want.equals(got)) throw new Fail(what + ": want " + want + ", got " + got);
    }

    private void goOn(String what) throws Exception {
        long delivered = load.delivered(), acknowledged = load.acknowledged();
        long[] ms = times.get(times.size() - 1);
        await(what + ": answers after " + ms[0] + " ms, takes records after " + ms[1] + " ms, heartbeats after " + ms[2]
            + " ms; clients go on", 30_000, () -> load.delivered() + " delivered, " + load.acknowledged()
            + " acknowledged", () -> {
                ledger.check();
                return load.delivered() > delivered && load.acknowledged() > acknowledged;
            });
    }

    private void verify(CrashAdmin admin, org.apache.kafka.clients.consumer.KafkaConsumer<byte[], byte[]> reader)
            throws Exception {
        admin.check();
        for (String group : ledger.groups())
            CrashLedger.checkCommits(group, ledger.commitsOf(group), admin.committed(group));
        ledger.checkAll(reader);
        say("ok: " + admin.changes() + " changes of topics, configs and groups are as acknowledged");
    }

    private void report() throws Exception {
        String[] what = {"first answer", "first record", "first heartbeat"};
        for (int i = 0; i < what.length; i++) {
            int which = i;
            long[] sorted = times.stream().mapToLong(t -> t[which]).sorted().toArray();
            say(what[i] + " after " + sorted[sorted.length / 2] + " ms in the middle, " + sorted[sorted.length - 1]
                + " ms at most");
        }
        say("what happened: " + happened);
        host.complaints().forEach((line, count) -> say("the host said " + count + " times: " + line));
    }
}
