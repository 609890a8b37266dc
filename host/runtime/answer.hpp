// What goes back for a request, and where it goes.
//
// Threads: an AnswerSink is called from any thread, once per slot. An Answer's body is a view that
// lives during the call; whoever keeps it makes an OwnedAnswer of it.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include <muster/abi/broker.h>
#include <muster/abi/request.h>
#include "runtime/bytes.hpp"

namespace muster::host {

// Where a part lies that is not in memory.
struct InFile {
  int file = -1;
  std::int64_t offset = 0;
};

// Buffers that leave without a copy; released once, from the destructor. Parts whose data is NULL
// lie in files, the n-th of them at files()[n]; only sinks that take files are given such.
class SharedParts {
 public:
  SharedParts() = default;
  SharedParts(const muster_piece* pieces, std::uint32_t count, muster_release release, void* owner)
      : release_(release), owner_(owner) {
    parts_.reserve(count);
    for (const muster_piece& piece : std::span(pieces, count)) {
      parts_.push_back({piece.data, piece.size});
      if (piece.data == nullptr && piece.size != 0) {
        files_.push_back({piece.file, static_cast<std::int64_t>(piece.offset)});
      }
    }
  }
  SharedParts(const muster_bytes* parts, std::uint32_t count, muster_release release, void* owner)
      : parts_(parts, parts + count), release_(release), owner_(owner) {}
  SharedParts(SharedParts&& other) noexcept { swap(other); }
  SharedParts& operator=(SharedParts&& other) noexcept {
    SharedParts moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~SharedParts() {
    if (release_ != nullptr) release_(owner_);
  }

  const std::vector<muster_bytes>& parts() const { return parts_; }
  const std::vector<InFile>& files() const { return files_; }
  std::size_t size() const {
    std::size_t total = 0;
    for (const auto& part : parts_) total += part.size;
    return total;
  }

 private:
  void swap(SharedParts& other) noexcept {
    parts_.swap(other.parts_);
    files_.swap(other.files_);
    std::swap(release_, other.release_);
    std::swap(owner_, other.owner_);
  }

  std::vector<muster_bytes> parts_;
  std::vector<InFile> files_;
  muster_release release_ = nullptr;
  void* owner_ = nullptr;
};

enum class AnswerKind : std::uint8_t { body, shared, none, close };

struct Answer {
  AnswerKind kind = AnswerKind::body;
  Bytes body;
  SharedParts shared;
};

// An answer that waits: for durability, for earlier answers of its connection, for another thread.
struct OwnedAnswer {
  AnswerKind kind = AnswerKind::body;
  Buffer body;
  SharedParts shared;

  OwnedAnswer() = default;
  explicit OwnedAnswer(Answer answer)
      : kind(answer.kind),
        body(answer.body.begin(), answer.body.end()),
        shared(std::move(answer.shared)) {}

  // Makes one piece of shared parts, for whoever reads the body.
  void join() {
    if (kind != AnswerKind::shared) return;
    for (const muster_bytes& part : shared.parts()) {
      body.insert(body.end(), part.data, part.data + part.size);
    }
    shared = {};
    kind = AnswerKind::body;
  }
  Answer release() { return {kind, body, std::move(shared)}; }
};

class AnswerSink {
 public:
  virtual ~AnswerSink() = default;
  virtual void deliver(std::uint64_t slot, Answer answer) = 0;
  // Whether it can do with parts that lie in files.
  [[nodiscard]] virtual bool takes_files() const { return false; }
};

// The address of an answer.
struct ReplyTo {
  std::shared_ptr<AnswerSink> sink;
  std::uint64_t slot = 0;

  void deliver(Answer answer) const {
    if (sink) sink->deliver(slot, std::move(answer));
  }
  void body(Bytes bytes) const { deliver({AnswerKind::body, bytes, {}}); }
};

}  // namespace muster::host
