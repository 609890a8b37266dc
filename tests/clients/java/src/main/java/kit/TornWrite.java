package kit;

import java.io.*;
import java.nio.file.*;
import java.util.*;

/**
 * What a loss of power leaves at the end of a write-ahead log, done to the file of a host that is dead: a write that
 * was under way and got there in part. Nothing that was there whole is touched, unless the caller says from where on
 * nothing was acknowledged.
 */
enum TornWrite {
    GARBAGE {
        @Override byte[] tail(byte[] log, Random random) {
            byte[] tail = new byte[1 + random.nextInt(300)];
            random.nextBytes(tail);
            return tail;
        }
    },
    /** The file had grown already, and its new blocks were not there yet. */
    ZEROES {
        @Override byte[] tail(byte[] log, Random random) { return new byte[1 + random.nextInt(5000)]; }
    },
    /** The beginning of a write like those before it. */
    HALF {
        @Override byte[] tail(byte[] log, Random random) {
            int size = log.length < HEADER ? 0 : HEADER + (log[4] & 0xff) + ((log[5] & 0xff) << 8);
            int room = BLOCK - log.length % BLOCK;
            if (size <= HEADER || size > log.length || room <= HEADER) return GARBAGE.tail(log, random);
            return Arrays.copyOf(log, 1 + random.nextInt(Math.min(size, room) - 1));
        }
    },
    /** The same with its full length, and zeroes where the end of it should be. */
    HOLLOW {
        @Override byte[] tail(byte[] log, Random random) {
            byte[] half = HALF.tail(log, random);
            return Arrays.copyOf(half, half.length + 1 + random.nextInt(600));
        }
    };

    /** RocksDB's format: blocks of pieces; the bytes 4 and 5 of a piece are the length of what follows its header. */
    private static final int HEADER = 7, BLOCK = 32768;

    abstract byte[] tail(byte[] log, Random random);

    void append(Path log, Random random) throws IOException {
        Files.write(log, tail(Files.readAllBytes(log), random), StandardOpenOption.APPEND);
    }

    /** Cuts the file anywhere behind `whole`, up to which all was acknowledged. */
    static void cut(Path log, long whole, Random random) throws IOException {
        try (var file = new RandomAccessFile(log.toFile(), "rw")) {
            long unacknowledged = file.length() - whole;
            if (unacknowledged > 1) file.setLength(whole + 1 + (long) (random.nextDouble() * (unacknowledged - 1)));
        }
    }
}
