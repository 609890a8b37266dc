// The bytes of notes. They never leave the process, but are read as carefully as records.
#include "notes.hpp"

#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>

namespace muster::consumer {
namespace {

using protocol::Buffer;
using protocol::Bytes;
using protocol::Reader;
using protocol::Writer;

enum class Kind : std::int8_t { group = 1, waiting = 2, new_topics = 3, rejoin = 4 };

Buffer key_of(Kind kind, std::string_view group, std::uint64_t token) {
  Buffer key;
  {
    Writer out(key);
    out.write_int8(static_cast<std::int8_t>(kind));
    out.write_string(group, true);
    out.write_int64(static_cast<std::int64_t>(token));
  }
  return key;
}

void write(Writer& out, const std::optional<Partitions>& partitions) {
  if (!partitions) return out.write_null_count(true);
  out.write_count(partitions->size(), true);
  for (const TopicPartition& at : *partitions) {
    out.write_int64(at.topic.high);
    out.write_int64(at.topic.low);
    out.write_int32(at.partition);
  }
}

std::optional<Partitions> read_partitions(Reader& in) {
  const std::int32_t count = in.read_nullable_count(true, 20);
  if (count < 0) return std::nullopt;
  Partitions out;
  for (std::int32_t i = 0; i < count && in.ok(); ++i) {
    TopicPartition at;
    at.topic.high = in.read_int64();
    at.topic.low = in.read_int64();
    at.partition = in.read_int32();
    out.push_back(at);
  }
  return out;
}

void write(Buffer& value, const GroupNotes& notes) {
  Writer out(value);
  out.write_bool(notes.refresh_wanted);
  out.write_int32(notes.asked_epoch);
  out.write_int64(notes.asked_at_ms);
  out.write_int64(notes.assignor_failed_at_ms);
  out.write_int64(notes.resolved_version);
  out.write_bool(notes.regex_run.has_value());
  if (!notes.regex_run) return;
  out.write_string(notes.regex_run->principal, true);
  out.write_string(notes.regex_run->client_host, true);
  out.write_int64(notes.regex_run->asked_at_ms);
}

void write(Buffer& value, const WaitingHeartbeat& waiting) {
  Writer out(value);
  out.write_string(waiting.member_id, true);
  out.write_int32(waiting.wanted_epoch);
  out.write_int32(waiting.member_epoch);
  out.write_bool(waiting.subscription_changed);
  out.write_bool(waiting.wants_assignment);
  write(out, waiting.owned);
  out.write_int16(waiting.version);
  out.write_bool(waiting.is_join);
}

GroupNotes read_group_notes(Reader& in) {
  GroupNotes notes;
  notes.refresh_wanted = in.read_bool();
  notes.asked_epoch = in.read_int32();
  notes.asked_at_ms = in.read_int64();
  notes.assignor_failed_at_ms = in.read_int64();
  notes.resolved_version = in.read_int64();
  if (in.read_bool()) {
    RegexRun run;
    run.principal = in.read_string(true);
    run.client_host = in.read_string(true);
    run.asked_at_ms = in.read_int64();
    notes.regex_run = std::move(run);
  }
  return notes;
}

WaitingHeartbeat read_waiting(Reader& in) {
  WaitingHeartbeat waiting;
  waiting.member_id = in.read_string(true);
  waiting.wanted_epoch = in.read_int32();
  waiting.member_epoch = in.read_int32();
  waiting.subscription_changed = in.read_bool();
  waiting.wants_assignment = in.read_bool();
  waiting.owned = read_partitions(in);
  waiting.version = in.read_int16();
  waiting.is_join = in.read_bool();
  return waiting;
}

}  // namespace

NoteBytes to_bytes(const GroupNote& note) {
  NoteBytes bytes{key_of(Kind::group, note.group, 0), std::nullopt};
  write(bytes.value.emplace(), note.notes);
  return bytes;
}

NoteBytes to_bytes(const WaitingNote& note) {
  NoteBytes bytes{key_of(Kind::waiting, note.group, note.token), std::nullopt};
  if (note.waiting) write(bytes.value.emplace(), *note.waiting);
  return bytes;
}

NoteBytes to_bytes(const RejoinNote& note) {
  NoteBytes bytes{key_of(Kind::rejoin, note.group, 0), std::nullopt};
  Writer out(bytes.value.emplace());
  out.write_string(note.member, true);
  out.write_bool(note.asked);
  return bytes;
}

NoteBytes to_bytes(const NewTopicsNote& note) {
  NoteBytes bytes{key_of(Kind::new_topics, {}, 0), std::nullopt};
  Writer(bytes.value.emplace()).write_int64(note.version);
  return bytes;
}

std::optional<Note> read_note(Bytes key, std::optional<Bytes> value) {
  Reader of_key(key);
  const auto kind = static_cast<Kind>(of_key.read_int8());
  const std::string_view group = of_key.read_string(true);
  const auto token = static_cast<std::uint64_t>(of_key.read_int64());
  if (!value && kind != Kind::waiting) return std::nullopt;
  Reader in(value.value_or(Bytes{}));
  Note note;
  switch (kind) {
    case Kind::group: note = GroupNote{group, read_group_notes(in)}; break;
    case Kind::waiting:
      note = WaitingNote{group, token, value ? std::optional(read_waiting(in)) : std::nullopt};
      break;
    case Kind::rejoin: {
      const std::string_view member = in.read_string(true);
      note = RejoinNote{group, member, in.read_bool()};
      break;
    }
    case Kind::new_topics: note = NewTopicsNote{in.read_int64()}; break;
    default: return std::nullopt;
  }
  const bool is_whole = of_key.ok() && of_key.remaining() == 0 && in.ok() && in.remaining() == 0;
  return is_whole ? std::optional(std::move(note)) : std::nullopt;
}

}  // namespace muster::consumer
