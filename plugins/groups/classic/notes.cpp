// The bytes of notes. They never leave the process, but are read as carefully as records.
#include "notes.hpp"

#include <muster/protocol/reader.hpp>
#include <muster/protocol/writer.hpp>

#include <type_traits>

namespace muster::classic {
namespace {

using protocol::Buffer;
using protocol::Bytes;
using protocol::Reader;
using protocol::Writer;

enum class Kind : std::int8_t {
  header = 1,
  member = 2,
  gone = 3,
  pending = 4,
  change = 5,
  handed_over = 6,
};

std::optional<std::string> owned(std::optional<std::string_view> text) {
  if (!text) return std::nullopt;
  return std::string(*text);
}

void write(Writer& out, const Header& header) {
  out.write_int8(static_cast<std::int8_t>(header.state));
  out.write_bool(header.from_empty);
  out.write_bool(header.initial_delay.has_value());
  if (header.initial_delay) {
    out.write_int32(header.initial_delay->delay_ms);
    out.write_int32(header.initial_delay->remaining_ms);
    out.write_bool(header.initial_delay->extended);
  }
  out.write_int32(header.generation);
  out.write_nullable_string(header.protocol_type, true);
  out.write_nullable_string(header.protocol_name, true);
  out.write_nullable_string(header.leader, true);
  out.write_int64(header.state_since_ms);
}

Header read_header(Reader& in) {
  Header header;
  header.state = static_cast<GroupState>(in.read_int8());
  header.from_empty = in.read_bool();
  if (in.read_bool()) {
    InitialDelay& delay = header.initial_delay.emplace();
    delay.delay_ms = in.read_int32();
    delay.remaining_ms = in.read_int32();
    delay.extended = in.read_bool();
  }
  header.generation = in.read_int32();
  header.protocol_type = owned(in.read_nullable_string(true));
  header.protocol_name = owned(in.read_nullable_string(true));
  header.leader = owned(in.read_nullable_string(true));
  header.state_since_ms = in.read_int64();
  return header;
}

void write(Writer& out, const std::optional<Waiting>& waiting) {
  out.write_bool(waiting.has_value());
  if (!waiting) return;
  out.write_int64(static_cast<std::int64_t>(waiting->token));
  out.write_int16(waiting->version);
}

std::optional<Waiting> read_waiting(Reader& in) {
  if (!in.read_bool()) return std::nullopt;
  Waiting waiting;
  waiting.token = static_cast<std::uint64_t>(in.read_int64());
  waiting.version = in.read_int16();
  return waiting;
}

void write(Writer& out, const Member& member) {
  out.write_string(member.id, true);
  out.write_nullable_string(member.instance_id, true);
  out.write_string(member.client_id, true);
  out.write_string(member.client_host, true);
  out.write_int32(member.rebalance_timeout_ms);
  out.write_int32(member.session_timeout_ms);
  out.write_count(member.protocols->size(), true);
  for (const Protocol& protocol : *member.protocols) {
    out.write_string(protocol.name, true);
    out.write_bytes(protocol.metadata, true);
  }
  out.write_bool(member.assignment != nullptr);
  out.write_bytes(member.assigned(), true);
  out.write_bool(member.is_new);
  out.write_bool(member.sync_pending);
  write(out, member.join);
  write(out, member.sync);
}

SharedProtocols read_protocols(Reader& in) {
  Protocols protocols;
  const std::int32_t count = in.read_count(true, 2);
  for (std::int32_t i = 0; i < count && in.ok(); ++i) {
    Protocol& one = protocols.emplace_back();
    one.name = in.read_string(true);
    const Bytes metadata = in.read_bytes(true);
    one.metadata.assign(metadata.begin(), metadata.end());
  }
  return std::make_shared<const Protocols>(std::move(protocols));
}

Member read_member(Reader& in) {
  Member member;
  member.id = in.read_string(true);
  member.instance_id = owned(in.read_nullable_string(true));
  member.client_id = in.read_string(true);
  member.client_host = in.read_string(true);
  member.rebalance_timeout_ms = in.read_int32();
  member.session_timeout_ms = in.read_int32();
  member.protocols = read_protocols(in);
  const bool is_assigned = in.read_bool();
  const Bytes assignment = in.read_bytes(true);
  if (is_assigned) {
    member.assignment = std::make_shared<const Buffer>(assignment.begin(), assignment.end());
  }
  member.is_new = in.read_bool();
  member.sync_pending = in.read_bool();
  member.join = read_waiting(in);
  member.sync = read_waiting(in);
  return member;
}

// The kind of each note and what it holds.
struct Body {
  Writer& out;

  Kind operator()(const HeaderNote& note) const { return write(out, note.header), Kind::header; }
  Kind operator()(const MemberNote& note) const { return write(out, note.member), Kind::member; }
  Kind operator()(const GoneNote& note) const {
    return out.write_string(note.member_id, true), Kind::gone;
  }
  Kind operator()(const PendingNote& note) const {
    out.write_string(note.member_id, true);
    return out.write_bool(note.is_pending), Kind::pending;
  }
  Kind operator()(const ChangeNote& note) const {
    return out.write_int8(static_cast<std::int8_t>(note.change)), Kind::change;
  }
  Kind operator()(const HandedOverNote&) const { return Kind::handed_over; }
};

std::optional<Note> read(Kind kind, Reader& in) {
  switch (kind) {
    case Kind::header: return HeaderNote{read_header(in)};
    case Kind::member: return MemberNote{read_member(in)};
    case Kind::gone: return GoneNote{std::string(in.read_string(true))};
    case Kind::pending: {
      std::string id(in.read_string(true));
      return PendingNote{std::move(id), in.read_bool()};
    }
    case Kind::change: return ChangeNote{static_cast<Change>(in.read_int8())};
    case Kind::handed_over: return HandedOverNote{};
  }
  return std::nullopt;
}

bool is_known(const Note& note) {
  if (const auto* header = std::get_if<HeaderNote>(&note)) {
    return header->header.state >= GroupState::empty && header->header.state <= GroupState::stable;
  }
  if (const auto* change = std::get_if<ChangeNote>(&note)) {
    return change->change >= Change::joins_answered && change->change <= Change::released;
  }
  return true;
}

}  // namespace

NoteBytes to_bytes(std::string_view group, const Note& note) {
  NoteBytes bytes;
  Kind kind;
  {
    Writer out(bytes.value);
    kind = std::visit(Body{out}, note);
  }
  Writer out(bytes.key);
  out.write_int8(static_cast<std::int8_t>(kind));
  out.write_string(group, true);
  return bytes;
}

std::optional<ReadNote> read_note(Bytes key, Bytes value) {
  Reader of_key(key);
  const auto kind = static_cast<Kind>(of_key.read_int8());
  const std::string_view group = of_key.read_string(true);
  Reader in(value);
  std::optional<Note> note = read(kind, in);
  const bool is_whole = of_key.ok() && of_key.remaining() == 0 && in.ok() && in.remaining() == 0;
  if (!note || !is_whole || !is_known(*note)) return std::nullopt;
  return ReadNote{group, *std::move(note)};
}

}  // namespace muster::classic
