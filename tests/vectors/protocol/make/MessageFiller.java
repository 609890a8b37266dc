import java.lang.reflect.Field;
import java.lang.reflect.ParameterizedType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.protocol.types.BoundField;
import org.apache.kafka.common.protocol.types.RawTaggedField;
import org.apache.kafka.common.protocol.types.Schema;
import org.apache.kafka.common.protocol.types.TaggedFields;
import org.apache.kafka.common.protocol.types.Type;
import org.apache.kafka.common.record.internal.BaseRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;

/** Fills exactly those fields that Kafka's own schema of one version lists. */
final class MessageFiller {
  enum Style { EMPTY, NULLS, FULL, LONG, RANDOM, UNKNOWN_TAGS }

  private static final String[] TEXTS = {
    "a", "group-1", "Zürich", "日本語", "🦊 fox", "nul\u0000l", "\"quoted\\\"",
    "x".repeat(126), "y".repeat(127), "€".repeat(43)
  };
  private static final long[] EDGES = {0, 1, -1, 127, 128, -128, 255, 32767, -32768, 65535,
    2147483647L, -2147483648L, Long.MAX_VALUE, Long.MIN_VALUE};

  private final Style style;
  private final Random random;
  private boolean longestTextUsed;

  MessageFiller(Style style, long seed) {
    this.style = style;
    this.random = new Random(seed);
  }

  void fill(Object struct, Schema schema) throws ReflectiveOperationException {
    fill(struct, schema, 0);
  }

  private void fill(Object struct, Schema schema, int depth) throws ReflectiveOperationException {
    for (BoundField bound : schema.fields()) {
      if (bound.def.type instanceof TaggedFields tagged) {
        for (var field : tagged.fields().values()) {
          boolean absent = style == Style.RANDOM && random.nextInt(3) == 0;
          if (!absent) set(struct, field.name, field.type, depth);
        }
        if (style == Style.UNKNOWN_TAGS) addUnknownTags(struct);
      } else {
        set(struct, bound.def.name, bound.def.type, depth);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private void addUnknownTags(Object struct) throws ReflectiveOperationException {
    var tags = (List<RawTaggedField>)
        struct.getClass().getMethod("unknownTaggedFields").invoke(struct);
    tags.add(new RawTaggedField(100, new byte[] {1, 2, 3}));
    tags.add(new RawTaggedField(20000, new byte[200]));
  }

  private void set(Object struct, String name, Type type, int depth)
      throws ReflectiveOperationException {
    Field field = find(struct.getClass(), name);
    field.set(struct, value(field, type, depth));
  }

  private static Field find(Class<?> owner, String name) {
    for (Field field : owner.getDeclaredFields()) {
      if (MessagePrinter.isSchemaField(field) && MessagePrinter.plainName(field.getName())
          .equals(MessagePrinter.plainName(name))) {
        field.setAccessible(true);
        return field;
      }
    }
    throw new IllegalStateException(owner + " has no field " + name);
  }

  private Object value(Field field, Type type, int depth) throws ReflectiveOperationException {
    if (type.isNullable() && (style == Style.NULLS
        || style == Style.RANDOM && random.nextInt(3) == 0)) {
      return null;
    }
    if (type.isArray()) return array(field, type.arrayElementType().orElseThrow(), depth);
    if (type instanceof Schema schema) return struct(field.getType(), schema, depth);
    return scalar(field.getType(), type);
  }

  private Object struct(Class<?> owner, Schema schema, int depth)
      throws ReflectiveOperationException {
    var constructor = owner.getDeclaredConstructor();
    constructor.setAccessible(true);
    Object struct = constructor.newInstance();
    fill(struct, schema, depth + 1);
    return struct;
  }

  @SuppressWarnings("unchecked")
  private Object array(Field field, Type type, int depth) throws ReflectiveOperationException {
    Collection<Object> out;
    Class<?> element;
    if (field.getGenericType() instanceof ParameterizedType list) {
      out = new ArrayList<>();
      element = (Class<?>) list.getActualTypeArguments()[0];
    } else {
      out = (Collection<Object>) field.getType().getDeclaredConstructor().newInstance();
      var hashed = (ParameterizedType) field.getType().getGenericSuperclass();
      element = (Class<?>) hashed.getActualTypeArguments()[0];
    }
    for (int left = length(type, depth); left > 0; --left) {
      out.add(type instanceof Schema schema ? struct(element, schema, depth)
          : scalar(element, type));
    }
    return out;
  }

  private int length(Type element, int depth) {
    boolean structs = element instanceof Schema;
    return switch (style) {
      case EMPTY -> 0;
      case NULLS, UNKNOWN_TAGS -> 1;
      case FULL -> 2;
      case LONG -> structs || depth > 1 ? 1 : 130;
      case RANDOM -> random.nextInt(depth > 1 ? 3 : 4);
    };
  }

  private Object scalar(Class<?> target, Type type) {
    if (target == boolean.class) return style != Style.EMPTY && random.nextBoolean();
    if (target == double.class) return style == Style.EMPTY ? 0.0 : random.nextGaussian();
    if (target == String.class) return text();
    if (target == Uuid.class) return uuid();
    if (target == byte[].class) return bytes();
    if (target == ByteBuffer.class) return ByteBuffer.wrap(bytes());
    if (target == BaseRecords.class) return MemoryRecords.readableRecords(ByteBuffer.wrap(bytes()));
    long number = number();
    if (type == Type.UINT16) return (int) (number & 0xffff);
    if (target == byte.class || target == Byte.class) return (byte) number;
    if (target == short.class || target == Short.class) return (short) number;
    if (target == int.class || target == Integer.class) return (int) number;
    if (target == long.class || target == Long.class) return number;
    throw new IllegalStateException("no value for " + target + " as " + type);
  }

  private long number() {
    if (style == Style.EMPTY) return 0;
    return random.nextBoolean() ? EDGES[random.nextInt(EDGES.length)] : random.nextLong();
  }

  private String text() {
    switch (style) {
      case EMPTY: return "";
      case LONG:
        if (longestTextUsed) return "long".repeat(50);
        longestTextUsed = true;
        return "é".repeat(16383) + "!";
      default: return TEXTS[random.nextInt(TEXTS.length)];
    }
  }

  private Uuid uuid() {
    // A random one, so that runs agree; version bits do not matter on the wire.
    return style == Style.EMPTY ? Uuid.ZERO_UUID : new Uuid(random.nextLong(), random.nextLong());
  }

  private byte[] bytes() {
    byte[] out = new byte[switch (style) {
      case EMPTY -> 0;
      case LONG -> 16384;
      default -> random.nextInt(20);
    }];
    if (style != Style.LONG) random.nextBytes(out);
    return out;
  }
}
