package kit;

import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.CRC32;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** What was acknowledged of records and commits, and whether it is still there. */
final class CrashLedger {
    /** What a producer promised: exactly once and in order, or at least once. */
    private static final String ONCE = "o", AT_LEAST_ONCE = "r";

    private final Map<TopicPartition, ConcurrentNavigableMap<Long, Integer>> records = new ConcurrentHashMap<>();
    private final Map<String, Map<TopicPartition, Long>> commits = new ConcurrentHashMap<>();
    /** The first thing that went wrong anywhere. */
    private final AtomicReference<String> wrong = new AtomicReference<>();

    static String key(boolean once, int producer, long number) {
        return (once ? ONCE : AT_LEAST_ONCE) + "-" + producer + "-" + number;
    }

    private static int hash(byte[] key, byte[] value) {
        CRC32 crc = new CRC32();
        crc.update(key);
        crc.update(value);
        return (int) crc.getValue();
    }

    void wrong(String what) {
        if (wrong.compareAndSet(null, what)) Kit.say("WRONG: " + what);
    }

    void check() {
        if (wrong.get() != null) throw new Kit.Fail(wrong.get());
    }

    /** That a producer was told, or a consumer was given, that this record is at this offset. */
    void record(TopicPartition at, long offset, byte[] key, byte[] value) {
        Integer before = of(at).put(offset, hash(key, value));
        if (before != null && before != hash(key, value)) wrong("two records are at " + at + " offset " + offset);
    }

    private ConcurrentNavigableMap<Long, Integer> of(TopicPartition at) {
        return records.computeIfAbsent(at, p -> new ConcurrentSkipListMap<>());
    }

    void committed(String group, Map<TopicPartition, OffsetAndMetadata> offsets) {
        var known = commits.computeIfAbsent(group, g -> new ConcurrentHashMap<>());
        offsets.forEach((at, offset) -> known.merge(at, offset.offset(), Math::max));
    }

    long records() { return records.values().stream().mapToLong(Map::size).sum(); }

    Set<String> groups() { return commits.keySet(); }

    Map<TopicPartition, Long> commitsOf(String group) { return Map.copyOf(commits.getOrDefault(group, Map.of())); }

    /** The acknowledged commits as they were before, or later ones. */
    static void checkCommits(String group, Map<TopicPartition, Long> want, Map<TopicPartition, Long> got) {
        want.forEach((at, offset) -> {
            Long now = got.get(at);
            if (now == null || now < offset)
                throw new Kit.Fail("group " + group + " has committed " + offset + " in " + at + ", and now " + now);
        });
    }

    static KafkaConsumer<byte[], byte[]> reader() {
        return new KafkaConsumer<>(Map.<String, Object>of("bootstrap.servers", Kit.boot, "auto.offset.reset", "none",
            "reconnect.backoff.max.ms", 100), new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    /** The newest of what is noted: at most so many of each partition. */
    void checkNewest(KafkaConsumer<byte[], byte[]> reader, int most) {
        Map<TopicPartition, NavigableMap<Long, Integer>> newest = new HashMap<>();
        records.forEach((at, all) -> {
            NavigableMap<Long, Integer> some = new TreeMap<>();
            for (var e : all.descendingMap().entrySet()) {
                some.put(e.getKey(), e.getValue());
                if (some.size() == most) break;
            }
            newest.put(at, some);
        });
        reader.assign(newest.keySet());
        reader.resume(newest.keySet());
        newest.forEach((at, some) -> reader.seek(at, some.firstKey()));
        long end = System.nanoTime() + 30_000_000_000L;
        while (!newest.isEmpty()) {
            if (System.nanoTime() > end) throw new Kit.Fail("acknowledged records are not there: " + missing(newest));
            for (var r : reader.poll(Duration.ofMillis(100))) {
                var at = new TopicPartition(r.topic(), r.partition());
                var some = newest.get(at);
                if (some == null) continue;
                Integer want = some.remove(r.offset());
                if (want != null) same(want, r);
                if (some.isEmpty()) {
                    newest.remove(at);
                    reader.pause(Set.of(at));
                } else if (r.offset() > some.firstKey()) {
                    throw new Kit.Fail("no record at " + at + " offset " + some.firstKey());
                }
            }
        }
    }

    private static String missing(Map<TopicPartition, NavigableMap<Long, Integer>> newest) {
        Map<TopicPartition, Long> first = new HashMap<>();
        newest.forEach((at, some) -> first.put(at, some.firstKey()));
        return first.toString();
    }

    private static void same(int want, ConsumerRecord<byte[], byte[]> r) {
        if (want != hash(r.key(), r.value()))
            throw new Kit.Fail("another record than the acknowledged one is at " + r.topic() + "-" + r.partition()
                + " offset " + r.offset() + ": " + new String(r.key()));
    }

    /** All of it, and that each log is whole: no offset is missing, no record of an idempotent producer is there twice
     * or behind a later one. */
    void checkAll(KafkaConsumer<byte[], byte[]> reader) {
        reader.assign(records.keySet());
        reader.resume(records.keySet());
        Map<TopicPartition, Long> ends = reader.endOffsets(records.keySet());
        Map<TopicPartition, Long> next = new HashMap<>();
        Map<TopicPartition, Map<String, Long>> numbers = new HashMap<>();
        reader.seekToBeginning(records.keySet());
        records.forEach((at, all) -> {
            next.put(at, 0L);
            if (all.lastKey() >= ends.get(at)) throw new Kit.Fail(at + " ends at " + ends.get(at) + ", but "
                + all.lastKey() + " is acknowledged");
        });
        long end = System.nanoTime() + 120_000_000_000L;
        while (!next.equals(ends)) {
            if (System.nanoTime() > end) throw new Kit.Fail("read up to " + next + ", not to " + ends);
            for (var r : reader.poll(Duration.ofMillis(100))) {
                var at = new TopicPartition(r.topic(), r.partition());
                if (r.offset() != next.get(at))
                    throw new Kit.Fail(at + " has offset " + r.offset() + " where " + next.get(at) + " comes next");
                next.put(at, r.offset() + 1);
                Integer want = records.get(at).get(r.offset());
                if (want != null) same(want, r);
                inOrder(numbers.computeIfAbsent(at, p -> new HashMap<>()), r);
            }
        }
        Kit.say("ok: " + records() + " acknowledged or delivered records of " + next.values().stream()
            .mapToLong(n -> n).sum() + " are where they were");
    }

    private static void inOrder(Map<String, Long> last, ConsumerRecord<byte[], byte[]> r) {
        String[] key = new String(r.key()).split("-");
        if (!key[0].equals(ONCE)) return;
        long number = Long.parseLong(key[2]);
        Long before = last.put(key[1], number);
        if (before != null && number <= before)
            throw new Kit.Fail("record " + number + " of idempotent producer " + key[1] + " is behind " + before + " in "
                + r.topic() + "-" + r.partition());
    }
}
