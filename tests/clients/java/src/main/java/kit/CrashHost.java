package kit;

import java.io.*;
import java.nio.file.*;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.function.*;
import java.util.stream.*;

/** The host under test: a process that is killed and started again on the same data folder and port. */
final class CrashHost {
    final int port;
    private final Path work;
    private final List<String> command;
    private Process process;

    /** COMMAND is the program and its arguments, one a line, but for what is the work folder's own. */
    CrashHost(int port, Path work, String command) {
        this.port = port;
        this.work = work;
        this.command = new ArrayList<>(command.lines().toList());
        this.command.addAll(List.of("--set", "listener.bind=127.0.0.1:" + port, "--set", "admin.bind=127.0.0.1:0",
            "--set", "host.data_dir=" + work.resolve("data")));
    }

    /** Gives the time of the start in nanoseconds. */
    long start() throws IOException {
        var builder = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        long now = System.nanoTime();
        process = builder.start();
        Files.writeString(work.resolve("pid"), process.pid() + "\n");
        return now;
    }

    void kill() throws Exception {
        alive();
        process.destroyForcibly();
        if (!process.waitFor(20, TimeUnit.SECONDS)) throw new Kit.Fail("the host outlives SIGKILL");
    }

    /** SIGTERM; the host has to end with 0. */
    void stop() throws Exception {
        alive();
        process.destroy();
        if (!process.waitFor(20, TimeUnit.SECONDS)) throw new Kit.Fail("the host did not end within 20 s of SIGTERM");
        if (process.exitValue() != 0) throw new Kit.Fail("the host ended with " + process.exitValue());
    }

    void alive() {
        if (!process.isAlive()) throw new Kit.Fail("the host ended by itself with " + process.exitValue());
    }

    private Path log() { return work.resolve("host.log"); }

    /** What it had to say that was no mere information, without the times, each once with how often. */
    Map<String, Long> complaints() throws IOException {
        try (Stream<String> lines = Files.lines(log())) {
            return lines.filter(l -> !l.contains(" info ") && !l.startsWith("listening on ")
                    && !l.startsWith("admin on "))
                .map(l -> l.replaceFirst("^\\S+Z ", ""))
                .collect(Collectors.groupingBy(l -> l, TreeMap::new, Collectors.counting()));
        }
    }

    /** The write-ahead log of the store that is written to now. */
    Path writeAheadLog() throws IOException {
        try (Stream<Path> all = Files.list(work.resolve("data/rocksdb"))) {
            return all.filter(p -> p.toString().endsWith(".log")).max(BY_NUMBER).orElseThrow();
        }
    }

    /** The newest segments of all partitions, and the indexes beside them: "log" or "index". */
    List<Path> newestSegments(String kind) throws IOException {
        Map<Path, Path> newest = new TreeMap<>();
        try (Stream<Path> all = Files.walk(work.resolve("data/embedded/log/segments"))) {
            all.filter(p -> p.toString().endsWith("." + kind))
                .forEach(p -> newest.merge(p.getParent(), p, BinaryOperator.maxBy(BY_NUMBER)));
        } catch (NoSuchFileException | UncheckedIOException none) {
            return List.of();
        }
        return List.copyOf(newest.values());
    }

    private static final Comparator<Path> BY_NUMBER =
        Comparator.comparingLong(p -> Long.parseLong(p.getFileName().toString().replaceFirst("\\..*", "")));
}
