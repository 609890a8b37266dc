import java.io.File;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.TreeMap;
import java.util.jar.JarFile;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Message;
import org.apache.kafka.common.protocol.MessageUtil;
import org.apache.kafka.common.protocol.types.Schema;

/** Writes vectors of every message, record key and record value, in every version. */
public final class MessageVectors {
  private static final String[] PACKAGES = {
    "org/apache/kafka/common/message/", "org/apache/kafka/coordinator/group/generated/",
    "org/apache/kafka/coordinator/share/generated/",
    "org/apache/kafka/coordinator/transaction/generated/"
  };
  private static final int RANDOM_VECTORS = 3;

  private final Writer out;

  private MessageVectors(Writer out) {
    this.out = out;
  }

  public static void main(String[] arguments) throws Exception {
    try (var gzip = new GZIPOutputStream(new FileOutputStream(arguments[1])) {
          { def.setLevel(Deflater.BEST_COMPRESSION); }
        };
        var out = new OutputStreamWriter(gzip, StandardCharsets.UTF_8)) {
      var vectors = new MessageVectors(out);
      for (var message : messages(new File(arguments[0])).entrySet()) {
        vectors.writeAll(message.getKey(), message.getValue());
      }
    }
  }

  private static TreeMap<String, Class<? extends Message>> messages(File libs) throws Exception {
    var found = new TreeMap<String, Class<? extends Message>>();
    for (File file : libs.listFiles((dir, name) -> name.endsWith(".jar"))) {
      try (JarFile jar = new JarFile(file)) {
        for (var entry : jar.stream().toList()) {
          String path = entry.getName();
          if (!path.endsWith(".class") || path.contains("$")) continue;
          String folder = path.substring(0, path.lastIndexOf('/') + 1);
          if (!Arrays.asList(PACKAGES).contains(folder)) continue;
          Class<?> type = Class.forName(path.replace('/', '.').replace(".class", ""));
          if (!Message.class.isAssignableFrom(type)) continue;
          if (lowest(type) > highest(type)) continue;
          found.put(schemaName(type.getSimpleName()), type.asSubclass(Message.class));
        }
      }
    }
    return found;
  }

  private static String schemaName(String className) {
    return className.replaceFirst("(Request|Response|Header)Data$", "$1");
  }

  private static short lowest(Class<?> type) throws ReflectiveOperationException {
    return type.getField("LOWEST_SUPPORTED_VERSION").getShort(null);
  }

  private static short highest(Class<?> type) throws ReflectiveOperationException {
    return type.getField("HIGHEST_SUPPORTED_VERSION").getShort(null);
  }

  private void writeAll(String name, Class<? extends Message> type) throws Exception {
    Schema[] schemas = (Schema[]) type.getField("SCHEMAS").get(null);
    for (short version = lowest(type); version <= highest(type); ++version) {
      Schema schema = schemas[version];
      write(name, version, "default", type.getDeclaredConstructor().newInstance());
      for (var style : MessageFiller.Style.values()) {
        int count = style == MessageFiller.Style.RANDOM ? RANDOM_VECTORS : 1;
        for (int i = 0; i < count; ++i) {
          Message message = type.getDeclaredConstructor().newInstance();
          long seed = (name + "/" + version + "/" + style + "/" + i).hashCode();
          new MessageFiller(style, seed).fill(message, schema);
          write(name, version, style.name().toLowerCase(), message);
        }
      }
      writeFramed(name, version, type, schema);
    }
  }

  /** A record as it lies in the log: a key behind its type, a value behind its version. */
  private void writeFramed(String name, short version, Class<? extends Message> type,
      Schema schema) throws Exception {
    if (!type.getPackageName().endsWith(".generated")) return;
    Message message = type.getDeclaredConstructor().newInstance();
    new MessageFiller(MessageFiller.Style.FULL, (name + "/" + version).hashCode())
        .fill(message, schema);
    byte[] bytes = name.endsWith("Key")
        ? MessageUtil.toCoordinatorTypePrefixedBytes((ApiMessage) message)
        : MessageUtil.toVersionPrefixedBytes(version, message);
    line(name, version, "framed", bytes, message);
  }

  private void write(String name, short version, String style, Message message) throws Exception {
    ByteBuffer buffer = MessageUtil.toByteBufferAccessor(message, version).buffer();
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(bytes);
    Message again = message.getClass().getDeclaredConstructor().newInstance();
    var reader = new ByteBufferAccessor(ByteBuffer.wrap(bytes));
    again.read(reader, version);
    if (reader.remaining() != 0 || !again.equals(message)) {
      System.err.println(name + " v" + version + " " + style + ": read back differently");
    }
    line(name, version, style, bytes, again);
  }

  private void line(String name, short version, String style, byte[] bytes, Message message)
      throws Exception {
    out.write(name + "\t" + version + "\t" + style + "\t" + HexFormat.of().formatHex(bytes) + "\t"
        + MessagePrinter.print(message) + "\n");
  }
}
