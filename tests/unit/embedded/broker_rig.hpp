// A broker behind its C table, as the host sees it: requests go in as bytes, answers come back as
// bytes, later perhaps and from another thread. Any thread.
#pragma once

#include <muster/abi/broker.h>
#include <muster/abi/plugin.h>
#include <muster/protocol/codec.hpp>
#include <muster/protocol/errors.hpp>

#include <condition_variable>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "rig_host.hpp"
#include "support/scratch_folder.hpp"

namespace muster::embedded::test {

using ::muster::testing::ScratchFolder;

using protocol::Buffer;
using protocol::Bytes;
using protocol::Error;

// Who asks.
struct Caller {
  std::string client_id = "test";
  std::uint64_t connection = 1;
  std::string listener = {};
};

// What the host was answered. Outlives the request.
// A stretch of a file, or nothing where it ends too early.
Buffer read_file(int file, std::int64_t offset, std::size_t size);

class Pending {
 public:
  enum class Outcome { waiting, body, none, closed };

  Outcome outcome();
  // Blocks until there is an outcome other than waiting; a broker that never answers ends the test.
  Outcome wait();
  const Buffer& body() const { return body_; }  // once it is there
  std::size_t parts() const { return parts_; }
  const muster_answer* table() const { return &answer_; }

 private:
  static Pending& of(void* self) { return *static_cast<Pending*>(self); }
  static void on_body(void* self, muster_bytes bytes);
  static void on_parts(void* self, const muster_bytes* parts, std::uint32_t count,
                       muster_release release, void* owner);
  static void on_pieces(void* self, const muster_piece* pieces, std::uint32_t count,
                        muster_release release, void* owner);
  static void on_none(void* self);
  static void on_close(void* self);
  void finish(Outcome outcome, Buffer body, std::size_t parts);

  std::mutex mutex_;
  std::condition_variable answered_;
  Outcome outcome_ = Outcome::waiting;
  Buffer body_;
  std::size_t parts_ = 0;
  muster_answer answer_{sizeof answer_, this, &on_body, &on_parts,
                        &on_none,       &on_close, &on_pieces};
};

using Outcome = Pending::Outcome;

// A decoded answer and the bytes it points into.
template <class Message>
struct Decoded {
  std::shared_ptr<Pending> source;
  Message message;

  const Message* operator->() const { return &message; }
  const Message& operator*() const { return message; }
};

struct SeenTopic {
  std::string name;
  std::uint32_t partitions = 0;
  bool internal = false;
  std::vector<std::vector<std::string>> racks;  // of each partition
};

struct SeenChange {
  std::string name;
  std::int32_t what = 0;
  std::optional<SeenTopic> topic;  // not for a deleted one
};

// With MUSTER_TEST_LOG_STORAGE=disk in the environment brokers that do not say otherwise keep
// their logs in a folder, so that all tests run on both storages.
class BrokerRig {
 public:
  using Options = std::map<std::string, std::string>;

  BrokerRig() : BrokerRig({}) {}
  explicit BrokerRig(std::initializer_list<Options::value_type> options);
  // The same through a plugin's entry: the built library's, for instance.
  BrokerRig(const muster_plugin& plugin, const Options& options);
  ~BrokerRig();
  BrokerRig(const BrokerRig&) = delete;
  BrokerRig& operator=(const BrokerRig&) = delete;

  RigHost host;
  const muster_broker_v1& table() const { return *table_; }

  std::shared_ptr<Pending> send(std::int16_t api, std::int16_t version, Bytes body,
                                const Caller& caller = {});
  template <class Request>
  std::shared_ptr<Pending> send(const Request& request, std::int16_t version,
                                const Caller& caller = {}) {
    Buffer body;
    protocol::encode(request, version, body);
    return send(Request::api_key, version, body, caller);
  }
  template <class Response, class Request>
  Decoded<Response> ask(const Request& request, std::int16_t version, const Caller& caller = {}) {
    return decoded<Response>(send(request, version, caller), version);
  }
  template <class Response>
  static Decoded<Response> decoded(std::shared_ptr<Pending> answer, std::int16_t version) {
    if (answer->wait() != Outcome::body) throw std::runtime_error("no body came back");
    auto message = protocol::decode<Response>(answer->body(), version);
    if (!message) throw std::runtime_error("the answer cannot be decoded");
    return {std::move(answer), std::move(*message)};
  }

  void gone(std::uint64_t connection) { table_->gone(broker_, connection); }
  std::string cluster_id() const;
  // From here on changes() grows.
  void watch();
  std::vector<std::vector<SeenChange>> changes();

 private:
  class OptionValues;

  void create(const muster_export& entry, const Options& options);
  static void on_changed(void* self, const muster_topic* const* topics,
                         const muster_topic_change* changes, std::uint32_t count);

  std::optional<ScratchFolder> folder_;
  std::unique_ptr<OptionValues> options_;
  const muster_broker_v1* table_ = nullptr;
  void* broker_ = nullptr;
  std::mutex mutex_;
  std::vector<std::vector<SeenChange>> changes_;
  muster_metadata_events events_{sizeof events_, this, &on_changed};
};

}  // namespace muster::embedded::test
