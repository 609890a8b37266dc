package kit;

import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import org.apache.kafka.clients.consumer.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.*;

/** Producers and consumers that never stop, and note what they were told. */
final class CrashLoad {
    static final List<String> TOPICS = List.of("crash-a", "crash-b", "crash-c");
    static final int PARTITIONS = 4, MEMBERS = 3;
    /** A group whose members stay, and one whose members come and go. */
    static final String STEADY = "crash-steady", RESTLESS = "crash-restless";
    private static final String[] COMPRESSIONS = {"none", "gzip", "lz4", "zstd", "snappy"};

    private final CrashLedger ledger;
    private final long seed;
    /** Whoever does what is acknowledged holds it for reading. */
    private final ReadWriteLock gate = new ReentrantReadWriteLock(true);
    private final List<KafkaProducer<byte[], byte[]>> producers = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicLong delivered = new AtomicLong(), acknowledged = new AtomicLong();
    private volatile boolean stop;

    interface Work { void run() throws Exception; }

    CrashLoad(CrashLedger ledger, long seed) {
        this.ledger = ledger;
        this.seed = seed;
    }

    void start() {
        for (int i = 0; i < COMPRESSIONS.length; i++) produce(i, COMPRESSIONS[i], true);
        produce(COMPRESSIONS.length, "none", false);
        for (int i = 0; i < MEMBERS; i++) spawn("steady-" + i, this::stay);
        for (int i = 0; i < 2; i++) spawn("restless-" + i, this::comeAndGo);
    }

    long delivered() { return delivered.get(); }
    long acknowledged() { return acknowledged.get(); }

    void spawn(String name, Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                e.printStackTrace();
                ledger.wrong(name + ": " + e);
            }
        }, name);
        threads.add(thread);
        thread.start();
    }

    boolean stopped() { return stop; }

    /** Something that is acknowledged, or not begun while all is quiet. */
    void guarded(Work work) throws Exception {
        gate.readLock().lock();
        try {
            work.run();
        } finally {
            gate.readLock().unlock();
        }
    }

    /** Runs it while nothing is under way that waits for an acknowledgement. */
    void quietly(Work work) throws Exception {
        if (!gate.writeLock().tryLock(60, TimeUnit.SECONDS)) throw new Kit.Fail("the load does not come to rest in 60 s");
        try {
            producers.forEach(KafkaProducer::flush);
            work.run();
        } finally {
            gate.writeLock().unlock();
        }
    }

    void stop() throws Exception {
        stop = true;
        for (Thread t : threads) {
            t.join(90_000);
            if (t.isAlive()) throw new Kit.Fail(t.getName() + " does not end within 90 s");
        }
    }

    private void produce(int id, String compression, boolean once) {
        var producer = new KafkaProducer<>(Map.<String, Object>of("bootstrap.servers", Kit.boot, "acks", "all",
            "enable.idempotence", once, "compression.type", compression, "linger.ms", id, "reconnect.backoff.max.ms",
            100, "retry.backoff.max.ms", 100), new ByteArraySerializer(), new ByteArraySerializer());
        producers.add(producer);
        spawn("producer-" + id, () -> {
            Random random = new Random(seed + id);
            try (producer) {
                for (long n = 0; !stop; n++) {
                    send(producer, random, CrashLedger.key(once, id, n).getBytes());
                    if (random.nextInt(4) == 0) Thread.sleep(1 + random.nextInt(20));
                }
            }
        });
    }

    private void send(KafkaProducer<byte[], byte[]> producer, Random random, byte[] key) throws Exception {
        byte[] value = new byte[random.nextInt(10) == 0 ? 4000 : 200];
        for (int i = 0; i < value.length; i++) value[i] = (byte) ('a' + random.nextInt(8));
        var record = new ProducerRecord<>(TOPICS.get(random.nextInt(TOPICS.size())), random.nextInt(PARTITIONS), key,
            value);
        guarded(() -> producer.send(record, (at, error) -> {
            if (error != null) {
                ledger.wrong("producer of " + new String(key) + ": " + error);
                return;
            }
            ledger.record(new TopicPartition(at.topic(), at.partition()), at.offset(), key, value);
            acknowledged.incrementAndGet();
        }));
    }

    private static KafkaConsumer<byte[], byte[]> consumer(String group) {
        return new KafkaConsumer<>(Consumers.config(false, group, "reconnect.backoff.max.ms", 100,
            "retry.backoff.max.ms", 100, "max.poll.records", 200), new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    }

    /** Partitions are only lost to members that the group no longer knows. */
    private ConsumerRebalanceListener listener(String group) {
        return new ConsumerRebalanceListener() {
            @Override public void onPartitionsAssigned(Collection<TopicPartition> p) { }
            @Override public void onPartitionsRevoked(Collection<TopicPartition> p) { }
            @Override public void onPartitionsLost(Collection<TopicPartition> p) {
                ledger.wrong("a member of " + group + " was fenced and lost " + p);
            }
        };
    }

    private void stay() throws Exception {
        var consumer = consumer(STEADY);
        consumer.subscribe(TOPICS, listener(STEADY));
        while (!stop) guarded(() -> consume(consumer, STEADY));
        consumer.close(CloseOptions.timeout(Duration.ofSeconds(5)));
    }

    private void comeAndGo() throws Exception {
        Random random = new Random(seed);
        while (!stop) {
            guarded(() -> {
                long end = System.nanoTime() + 500_000_000L + random.nextInt(2_000_000_000);
                var consumer = consumer(RESTLESS);
                consumer.subscribe(TOPICS);
                while (!stop && System.nanoTime() < end) consume(consumer, RESTLESS);
                consumer.close(CloseOptions.timeout(Duration.ofSeconds(2)));
            });
            Thread.sleep(20);
        }
    }

    private void consume(KafkaConsumer<byte[], byte[]> consumer, String group) {
        Map<TopicPartition, OffsetAndMetadata> next = new HashMap<>();
        for (var r : consumer.poll(Duration.ofMillis(100))) {
            var at = new TopicPartition(r.topic(), r.partition());
            ledger.record(at, r.offset(), r.key(), r.value());
            next.put(at, new OffsetAndMetadata(r.offset() + 1));
            delivered.incrementAndGet();
        }
        if (next.isEmpty()) return;
        consumer.commitSync(next);
        ledger.committed(group, next);
    }
}
