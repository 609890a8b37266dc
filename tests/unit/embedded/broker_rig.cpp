#include "broker_rig.hpp"

#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>

#include <muster/sdk/plugin.hpp>
#include <muster/testing/rig_host.hpp>

#include "broker.hpp"

namespace muster::embedded::test {
namespace {

muster_str to_str(const std::string& text) { return {text.data(), text.size()}; }
std::string copy_of(muster_str text) { return {text.data, text.size}; }

}  // namespace

class BrokerRig::OptionValues : public testing::RigOptions {
  using testing::RigOptions::RigOptions;
};

Outcome Pending::outcome() {
  const std::lock_guard lock(mutex_);
  return outcome_;
}

Outcome Pending::wait() {
  std::unique_lock lock(mutex_);
  const auto answered = [this] { return outcome_ != Outcome::waiting; };
  if (!answered_.wait_for(lock, std::chrono::minutes(1), answered)) {
    std::cerr << "the broker did not answer\n";
    std::abort();
  }
  return outcome_;
}

Buffer read_file(int file, std::int64_t offset, std::size_t size) {
  Buffer bytes(size);
  if (::pread(file, bytes.data(), size, offset) != static_cast<ssize_t>(size)) bytes.clear();
  return bytes;
}

void Pending::finish(Outcome outcome, Buffer body, std::size_t parts) {
  const std::lock_guard lock(mutex_);
  if (outcome_ != Outcome::waiting) {
    std::cerr << "the broker answered twice\n";
    std::abort();
  }
  outcome_ = outcome;
  body_ = std::move(body);
  parts_ = parts;
  answered_.notify_all();
}

void Pending::on_body(void* self, muster_bytes bytes) {
  of(self).finish(Outcome::body, Buffer(bytes.data, bytes.data + bytes.size), 1);
}

void Pending::on_parts(void* self, const muster_bytes* parts, std::uint32_t count,
                       muster_release release, void* owner) {
  Buffer all;
  for (std::uint32_t i = 0; i < count; ++i) {
    all.insert(all.end(), parts[i].data, parts[i].data + parts[i].size);
  }
  release(owner);
  of(self).finish(Outcome::body, std::move(all), count);
}

void Pending::on_pieces(void* self, const muster_piece* pieces, std::uint32_t count,
                        muster_release release, void* owner) {
  Buffer all;
  for (std::uint32_t i = 0; i < count; ++i) {
    const muster_piece& piece = pieces[i];
    const Buffer bytes = piece.data != nullptr
                             ? Buffer(piece.data, piece.data + piece.size)
                             : read_file(piece.file, static_cast<std::int64_t>(piece.offset),
                                         piece.size);
    all.insert(all.end(), bytes.begin(), bytes.end());
  }
  release(owner);
  of(self).finish(Outcome::body, std::move(all), count);
}

void Pending::on_none(void* self) { of(self).finish(Outcome::none, {}, 0); }

void Pending::on_close(void* self) { of(self).finish(Outcome::closed, {}, 0); }

BrokerRig::BrokerRig(std::initializer_list<Options::value_type> options) {
  create(sdk::make_export<Broker>(MUSTER_IFACE_BROKER, "embedded", &sdk::broker_table<Broker>),
         options);
}

BrokerRig::BrokerRig(const muster_plugin& plugin, const Options& options) {
  if (plugin.export_count != 1) throw std::runtime_error("one export was expected");
  create(plugin.exports[0], options);
}

void BrokerRig::create(const muster_export& entry, const Options& options) {
  if (std::string_view(entry.interface_id) != MUSTER_IFACE_BROKER) {
    throw std::runtime_error("this is no broker");
  }
  table_ = static_cast<const muster_broker_v1*>(entry.table);
  options_ = std::make_unique<OptionValues>(entry);
  const char* const storage = std::getenv("MUSTER_TEST_LOG_STORAGE");
  options_->set("log.storage", storage == nullptr ? "memory" : storage);
  if (storage != nullptr) options_->set("log.dir", folder_.emplace().path().string());
  for (const auto& [name, value] : options) options_->set(name, value);
  const muster_error_sink sink{sizeof sink, nullptr, [](void*, muster_str message) {
                                 std::cerr << copy_of(message) << '\n';
                               }};
  broker_ = table_->create(host.table(), options_->table(), &sink);
  if (broker_ == nullptr) throw std::runtime_error("the broker could not be made");
}

BrokerRig::~BrokerRig() {
  if (broker_ != nullptr) table_->destroy(broker_);
}

std::shared_ptr<Pending> BrokerRig::send(std::int16_t api, std::int16_t version, Bytes body,
                                         const Caller& caller) {
  static std::atomic<std::uint64_t> next_id{1};
  const auto answer = std::make_shared<Pending>();
  muster_request request{};
  request.struct_size = sizeof request;
  request.api_key = api;
  request.version = version;
  // A copy, so that memory checkers see a broker that keeps what it may not keep.
  const Buffer own(body.begin(), body.end());
  request.body = {own.data(), own.size()};
  request.id = next_id++;
  request.connection = caller.connection;
  request.client_id = to_str(caller.client_id);
  request.listener = to_str(caller.listener);
  table_->handle(broker_, &request, answer->table());
  return answer;
}

std::string BrokerRig::cluster_id() const {
  std::string id;
  const muster_bytes_sink sink{sizeof sink, &id, [](void* self, muster_bytes bytes) {
                                 static_cast<std::string*>(self)->append(
                                     reinterpret_cast<const char*>(bytes.data), bytes.size);
                               }};
  if (table_->cluster_id(broker_, &sink) != MUSTER_OK) throw std::runtime_error("no cluster id");
  return id;
}

void BrokerRig::watch() {
  if (table_->watch(broker_, &events_) != MUSTER_OK) throw std::runtime_error("watch failed");
}

std::vector<std::vector<SeenChange>> BrokerRig::changes() {
  const std::lock_guard lock(mutex_);
  return changes_;
}

void BrokerRig::on_changed(void* self, const muster_topic* const* topics,
                           const muster_topic_change* changes, std::uint32_t count) {
  std::vector<SeenChange> seen;
  for (std::uint32_t i = 0; i < count; ++i) {
    SeenChange& change = seen.emplace_back();
    change.name = copy_of(changes[i].name);
    change.what = changes[i].what;
    const muster_topic* topic = topics[i];
    if (topic == nullptr) continue;
    const bool internal = topic->internal != 0;
    change.topic = SeenTopic{copy_of(topic->name), topic->partition_count, internal, {}};
    for (std::uint32_t p = 0; p < topic->partition_count; ++p) {
      auto& racks = change.topic->racks.emplace_back();
      for (std::uint32_t r = topic->rack_offsets[p]; r < topic->rack_offsets[p + 1]; ++r) {
        racks.push_back(copy_of(topic->racks[r]));
      }
    }
  }
  auto& rig = *static_cast<BrokerRig*>(self);
  const std::lock_guard lock(rig.mutex_);
  rig.changes_.push_back(std::move(seen));
}

}  // namespace muster::embedded::test
