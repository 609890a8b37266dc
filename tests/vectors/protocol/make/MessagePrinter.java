import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Prints every field of a message, in declaration order, whether or not this version has it. */
final class MessagePrinter {
  private static final HexFormat HEX = HexFormat.of();

  private MessagePrinter() {}

  static String print(Object message) throws IllegalAccessException {
    StringBuilder out = new StringBuilder();
    value(out, message);
    return out.toString();
  }

  private static void value(StringBuilder out, Object value) throws IllegalAccessException {
    if (value == null || value instanceof Boolean || value instanceof Byte || value instanceof Short
        || value instanceof Integer || value instanceof Long) {
      out.append(value);
    } else if (value instanceof Double number) {
      out.append(String.format("%016x", Double.doubleToRawLongBits(number)));
    } else if (value instanceof Uuid id) {
      out.append(String.format("%016x%016x", id.getMostSignificantBits(),
          id.getLeastSignificantBits()));
    } else if (value instanceof String text) {
      string(out, text);
    } else if (value instanceof byte[] bytes) {
      out.append('x').append(HEX.formatHex(bytes));
    } else if (value instanceof ByteBuffer buffer) {
      bytes(out, buffer);
    } else if (value instanceof MemoryRecords records) {
      bytes(out, records.buffer());
    } else if (value instanceof Collection<?> elements) {
      out.append('[');
      String separator = "";
      for (Object element : elements) {
        out.append(separator);
        value(out, element);
        separator = ",";
      }
      out.append(']');
    } else {
      struct(out, value);
    }
  }

  private static void struct(StringBuilder out, Object struct) throws IllegalAccessException {
    out.append('{');
    String separator = "";
    Set<String> known = namesInSchemas(struct.getClass());
    for (Field field : struct.getClass().getDeclaredFields()) {
      if (!isSchemaField(field) || !known.contains(plainName(field.getName()))) continue;
      field.setAccessible(true);
      out.append(separator).append(plainName(field.getName())).append(':');
      value(out, field.get(struct));
      separator = ",";
    }
    out.append('}');
  }

  /** A class may keep a field of versions that Kafka has dropped; no schema lists it any more. */
  private static Set<String> namesInSchemas(Class<?> type) throws IllegalAccessException {
    Set<String> names = new HashSet<>();
    for (Field field : type.getDeclaredFields()) {
      if (field.getType() != Schema.class) continue;
      field.setAccessible(true);
      for (BoundField bound : ((Schema) field.get(null)).fields()) {
        names.add(plainName(bound.def.name));
        if (bound.def.type instanceof TaggedFields tagged) {
          tagged.fields().values().forEach(tag -> names.add(plainName(tag.name)));
        }
      }
    }
    return names;
  }

  private static void bytes(StringBuilder out, ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.duplicate().get(bytes);
    out.append('x').append(HEX.formatHex(bytes));
  }

  private static void string(StringBuilder out, String text) {
    out.append('"');
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < 0x20) {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }

  /** Kafka's classes keep unknown tags and, in hashed collections, links as fields too. */
  static boolean isSchemaField(Field field) {
    return !Modifier.isStatic(field.getModifiers()) && !field.getName().equals("next")
        && !field.getName().equals("prev") && !field.getName().equals("_unknownTaggedFields");
  }

  /** What groupId and group_id have in common. */
  static String plainName(String name) {
    return name.replace("_", "").toLowerCase(Locale.ROOT);
  }
}
