// What tests can try on a message without knowing its type, and how its fields are printed. The
// generator emits a describe() for each struct and registers each message.
#pragma once

#include <muster/protocol/codec.hpp>

#include <string>

namespace muster::protocol {

void describe(std::string& out, bool value);
void describe(std::string& out, std::int64_t value);
void describe(std::string& out, double value);
void describe(std::string& out, const Uuid& value);
void describe(std::string& out, std::string_view value);
void describe(std::string& out, Bytes value);

template <std::integral T>
void describe(std::string& out, T value) {
  describe(out, static_cast<std::int64_t>(value));
}

template <class T>
void describe(std::string& out, const std::vector<T>& values) {
  std::string_view before = "[";
  for (const T& value : values) {
    out += before;
    describe(out, value);
    before = ",";
  }
  out += values.empty() ? "[]" : "]";
}

template <class T>
void describe(std::string& out, const std::optional<T>& value) {
  if (!value) {
    out += "null";
  } else {
    describe(out, *value);
  }
}

namespace testing {

// How the vectors frame it: bare, behind a record type, behind a version.
enum class Form { message, key, value };

struct Outcome {
  std::string error;  // empty if it was decoded
  std::string text;
  Buffer encoded;
  std::size_t size = 0;       // as the message says
  std::size_t remaining = 0;  // bytes that decoding left over
  bool same_again = false;    // decoding what was encoded gives an equal message
};

struct Probe {
  std::string_view name;
  std::int16_t min_version;
  std::int16_t max_version;
  Outcome (*decode_and_encode)(Bytes body, std::int16_t version);
  // The same through decode_key, decode_value, encode_key and encode_value; null for messages.
  Outcome (*decode_and_encode_framed)(Bytes framed, std::int16_t version);
  // Whatever the bytes: decoding fails with a reason inside them, or encoding and decoding agree.
  bool (*survives)(Bytes body, std::int16_t version);
};

bool register_probes(std::initializer_list<Probe> probes);
// By name.
const std::vector<Probe>& all_probes();
const Probe* find_probe(std::string_view name);

template <class T>
Outcome decode_and_encode(Bytes body, std::int16_t version) {
  Outcome outcome;
  Reader in(body);
  T message;
  message.read(in, version);
  outcome.error = in.error();
  if (!in.ok()) return outcome;
  outcome.remaining = in.remaining();
  describe(outcome.text, message);
  encode(message, version, outcome.encoded);
  outcome.size = message.size(version);
  const auto again = decode<T>(outcome.encoded, version);
  outcome.same_again = again && *again == message;
  return outcome;
}

template <class T, Form form>
Outcome decode_and_encode_framed(Bytes framed, std::int16_t version) {
  const auto decoded = [&] {
    if constexpr (form == Form::key) return decode_key<T>(framed);
    if constexpr (form == Form::value) return decode_value<T>(framed);
  }();
  Outcome outcome;
  if (!decoded) {
    outcome.error = decoded.error().what;
    return outcome;
  }
  describe(outcome.text, *decoded);
  if constexpr (form == Form::key) outcome.encoded = encode_key(*decoded);
  if constexpr (form == Form::value) outcome.encoded = encode_value(*decoded, version);
  outcome.size = decoded->size(version) + 2;
  outcome.same_again = true;
  return outcome;
}

template <class T>
bool survives(Bytes body, std::int16_t version) {
  const auto message = decode<T>(body, version);
  if (!message) return !message.error().what.empty() && message.error().offset <= body.size();
  Buffer out;
  encode(*message, version, out);
  if (out.size() != message->size(version)) return false;
  // By bytes, because a NaN does not equal itself.
  const auto again = decode<T>(out, version);
  if (!again) return false;
  Buffer out_again;
  encode(*again, version, out_again);
  return out == out_again;
}

template <class T, Form form>
constexpr Probe make_probe(std::string_view name) {
  Probe probe{name, T::min_version, T::max_version, &decode_and_encode<T>, nullptr, &survives<T>};
  if constexpr (form != Form::message) {
    probe.decode_and_encode_framed = &decode_and_encode_framed<T, form>;
  }
  return probe;
}

}  // namespace testing
}  // namespace muster::protocol
