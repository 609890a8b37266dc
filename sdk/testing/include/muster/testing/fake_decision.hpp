// A decision that keeps what a slot emitted, for a test to compare and for the rig to replay.
// Tests only; one thread.
#pragma once

#include <muster/abi/group_protocol.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace muster::testing {

using Buffer = std::vector<std::uint8_t>;

inline Buffer copy_of(muster_bytes bytes) { return {bytes.data, bytes.data + bytes.size}; }
inline std::string copy_of(muster_str text) { return {text.data, text.data + text.size}; }
// Borrows: `bytes` must outlive the slot. Empty is not null.
inline muster_bytes to_bytes(const Buffer& bytes) {
  static constexpr std::uint8_t none = 0;
  return {bytes.empty() ? &none : bytes.data(), bytes.size()};
}
inline muster_str to_str(std::string_view text) {
  return {text.data() == nullptr ? "" : text.data(), text.size()};
}

// A record or a note. No value = tombstone.
struct Write {
  std::string emitter;  // name of the protocol whose decision it went through
  bool is_note = false;
  Buffer key;
  std::optional<Buffer> value;

  friend bool operator==(const Write&, const Write&) = default;
};

struct Timer {
  std::string key;
  std::optional<std::uint32_t> after_ms;  // none: cancelled

  friend bool operator==(const Timer&, const Timer&) = default;
};

struct Park {
  std::uint64_t token;
  std::uint32_t deadline_ms;
};

struct Completion {
  std::uint64_t token;
  Buffer body;
};

struct Offload {
  std::string key;
  std::uint64_t epoch;
  std::string kind;
};

struct Call {
  std::uint64_t token;
  bool as_host;
  std::int16_t api_key, version;
  Buffer body;
};

// What one slot did. `code` other than MUSTER_OK: the rig dropped the rest.
struct Outcome {
  muster_code code = MUSTER_OK;
  std::string error;
  std::vector<Write> writes;
  std::optional<Buffer> response;
  bool no_response = false;
  bool handed_on = false;  // the host drops the rest, and so does the rig
  std::vector<std::uint64_t> closed;
  std::vector<Park> parks;
  std::vector<Completion> completions;
  std::vector<Timer> timers;
  std::vector<Offload> offloads;
  std::vector<Call> calls;

  // Only what is stored.
  [[nodiscard]] std::vector<Write> records() const {
    std::vector<Write> out;
    for (const Write& write : writes) {
      if (!write.is_note) out.push_back(write);
    }
    return out;
  }
};

// Writes into an outcome that several decisions may share: in emission order, whoever emits.
class FakeDecision {
 public:
  FakeDecision(std::string emitter, Outcome* outcome)
      : emitter_(std::move(emitter)), outcome_(outcome) {}
  FakeDecision(const FakeDecision&) = delete;
  FakeDecision& operator=(const FakeDecision&) = delete;

  const muster_decision* table() const { return &table_; }

 private:
  static FakeDecision& of(void* self) { return *static_cast<FakeDecision*>(self); }
  static Outcome& out(void* self) { return *of(self).outcome_; }
  void write(bool is_note, muster_bytes key, muster_bytes value) {
    std::optional<Buffer> copy;
    if (value.data != nullptr) copy = copy_of(value);
    outcome_->writes.push_back({emitter_, is_note, copy_of(key), std::move(copy)});
  }
  static Buffer join(const muster_bytes* parts, std::uint32_t count) {
    Buffer body;
    for (std::uint32_t i = 0; i < count; ++i) {
      body.insert(body.end(), parts[i].data, parts[i].data + parts[i].size);
    }
    return body;
  }

  static void record(void* self, muster_bytes key, muster_bytes value) {
    of(self).write(false, key, value);
  }
  static void note(void* self, muster_bytes key, muster_bytes value) {
    of(self).write(true, key, value);
  }
  static void respond(void* self, muster_bytes body) { out(self).response = copy_of(body); }
  static void respond_shared(void* self, const muster_bytes* parts, std::uint32_t count,
                             muster_release release, void* owner) {
    out(self).response = join(parts, count);
    release(owner);
  }
  static void no_response(void* self) { out(self).no_response = true; }
  static void close_connection(void* self, std::uint64_t connection) {
    out(self).closed.push_back(connection);
  }
  static void park(void* self, std::uint64_t token, std::uint32_t deadline_ms) {
    out(self).parks.push_back({token, deadline_ms});
  }
  static void complete(void* self, std::uint64_t token, muster_bytes body) {
    out(self).completions.push_back({token, copy_of(body)});
  }
  static void complete_shared(void* self, std::uint64_t token, const muster_bytes* parts,
                              std::uint32_t count, muster_release release, void* owner) {
    out(self).completions.push_back({token, join(parts, count)});
    release(owner);
  }
  static void timer(void* self, muster_str key, std::uint32_t after_ms) {
    out(self).timers.push_back({copy_of(key), after_ms});
  }
  static void cancel(void* self, muster_str key) {
    out(self).timers.push_back({copy_of(key), std::nullopt});
  }
  static void offload(void* self, muster_str key, std::uint64_t epoch, muster_str kind) {
    out(self).offloads.push_back({copy_of(key), epoch, copy_of(kind)});
  }
  static void call(void* self, std::uint64_t token, std::int32_t as_host, std::int16_t api_key,
                   std::int16_t version, muster_bytes body) {
    out(self).calls.push_back({token, as_host != 0, api_key, version, copy_of(body)});
  }

  static void hand_on(void* self) { out(self).handed_on = true; }

  std::string emitter_;
  Outcome* outcome_;
  muster_decision table_{sizeof table_,    this,         &record,           &note,    &respond,
                         &respond_shared,  &no_response, &close_connection, &park,    &complete,
                         &complete_shared, &timer,       &cancel,           &offload, &call,
                         &hand_on};
};

}  // namespace muster::testing
