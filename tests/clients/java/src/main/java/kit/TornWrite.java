package kit;

import java.io.*;
import java.nio.file.*;
import java.util.*;

/**
 * What a loss of power leaves at the end of a write-ahead log, a segment or its index, done to the file of a host that is dead: a write that
 * was under way and got there in part. Nothing that was there whole is touched, unless the caller says from where on
 * nothing was acknowledged.
 */
enum TornWrite {
    GARBAGE {
        @Override byte[] tail(long size, Random random) {
            byte[] tail = new byte[1 + random.nextInt(300)];
            random.nextBytes(tail);
            return tail;
        }
    },
    /** The file had grown already, and its new blocks were not there yet. */
    ZEROES {
        @Override byte[] tail(long size, Random random) { return new byte[1 + random.nextInt(5000)]; }
    },
    /** The beginning of a write; nothing that was written before may come again, so its content is made up. */
    HALF {
        @Override byte[] tail(long size, Random random) {
            int room = BLOCK - (int) (size % BLOCK) - HEADER;
            if (room < 20) return GARBAGE.tail(size, random);
            int length = 1 + random.nextInt(Math.min(room, 3000));
            byte[] piece = new byte[HEADER + length];
            random.nextBytes(piece);
            piece[4] = (byte) length;
            piece[5] = (byte) (length >> 8);
            piece[6] = WHOLE;
            return Arrays.copyOf(piece, 1 + random.nextInt(piece.length - 1));
        }
    },
    /** The same with its full length, and zeroes where the end of it should be. */
    HOLLOW {
        @Override byte[] tail(long size, Random random) {
            byte[] half = HALF.tail(size, random);
            return Arrays.copyOf(half, half.length + 1 + random.nextInt(600));
        }
    };

    /** RocksDB's format: blocks of pieces; a piece's header has its checksum, the length of what follows, and a type. */
    private static final int HEADER = 7, BLOCK = 32768, WHOLE = 1;

    abstract byte[] tail(long size, Random random);

    void append(Path log, Random random) throws IOException {
        Files.write(log, tail(Files.size(log), random), StandardOpenOption.APPEND);
    }

    /** Cuts the file anywhere behind `whole`, up to which all was acknowledged. */
    static void cut(Path log, long whole, Random random) throws IOException {
        try (var file = new RandomAccessFile(log.toFile(), "rw")) {
            long unacknowledged = file.length() - whole;
            if (unacknowledged > 1) file.setLength(whole + 1 + (long) (random.nextDouble() * (unacknowledged - 1)));
        }
    }
}
