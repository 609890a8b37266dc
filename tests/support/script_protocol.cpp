#include "support/script_protocol.hpp"

namespace muster::testing {
namespace {

std::string text(muster_str from) {
  return from.data == nullptr ? "" : std::string(from.data, from.size);
}
std::string text(muster_bytes from) {
  return {reinterpret_cast<const char*>(from.data), from.size};
}
muster_bytes bytes(const std::string& from) {
  return {reinterpret_cast<const std::uint8_t*>(from.data()), from.size()};
}
muster_str str(const std::string& from) { return {from.data(), from.size()}; }

}  // namespace

class ScriptProtocol::Shard {
 public:
  Shard(ScriptProtocol& protocol, const muster_shard* host) : protocol_(protocol), host_(host) {}

  muster_code replay(std::int32_t kind, const std::string& key, const muster_bytes& value,
                     const muster_directory* directory) {
    const std::size_t group_size =
        static_cast<unsigned char>(key[2]) << 8 | static_cast<unsigned char>(key[3]);
    const std::string group = key.substr(4, group_size);
    const std::string name = key.substr(4 + group_size);
    if (value.data != nullptr && text(value) == "poison") return MUSTER_CORRUPT;
    if (value.data != nullptr && text(value) == "throw") throw std::runtime_error("thrown");
    auto& state = kind == MUSTER_REPLAY_NOTE ? notes_ : records_;
    if (value.data == nullptr) {
      state.erase(group + "/" + name);
      if (name == "own") directory->disown(directory->self, str(group));
    } else {
      state[group + "/" + name] = text(value);
      if (name == "own") return directory->own(directory->self, str(group));
    }
    return MUSTER_OK;
  }

  muster_code run(const std::string& script, const muster_request* request,
                  const muster_decision* decision, const muster_error_sink* error) const {
    const std::string group = request != nullptr ? text(request->key) : "g";
    std::istringstream lines(script);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream words(line);
      std::string what;
      words >> what;
      if (what == "fail") {
        std::string why = line.substr(5);
        error->error(error->self, str(why));
        return MUSTER_INTERNAL;
      }
      if (what == "throw") throw std::runtime_error("thrown");
      if (what == "handon" && request != nullptr) {
        // Who gets it on behalf of a foreign owner goes on with the script.
        if (request->owner.size != 0) continue;
        decision->hand_on(decision->self);
        return MUSTER_OK;
      }
      if (!state_command(what, words, group, decision) && !effect(what, words, decision)) {
        answer(what, words, request, decision);
      }
    }
    return MUSTER_OK;
  }

  // Runs the script kept under a slot's name.
  muster_code slot(const std::string& name, const std::string& argument,
                   const muster_decision* decision, const muster_error_sink* error) const {
    std::string script = kept("g/" + name);
    if (const auto at = script.find("%1"); at != std::string::npos) script.replace(at, 2, argument);
    for (char& c : script) c = c == ';' ? '\n' : c;
    return run(script, nullptr, decision, error);
  }

  std::string kept(const std::string& key) const {
    for (const auto* state : {&notes_, &records_}) {
      const auto found = state->find(key);
      if (found != state->end()) return found->second;
    }
    return {};
  }
  std::string dump(std::int32_t part) const {
    std::string out;
    for (const auto& [key, value] : part == MUSTER_DIGEST_DURABLE ? records_ : notes_) {
      out += key + "=" + value + ";";
    }
    return out;
  }

 private:
  bool state_command(const std::string& what, std::istringstream& words, const std::string& group,
                     const muster_decision* d) const {
    std::string name;
    std::string value;
    if (what == "record" || what == "note" || what == "tombstone" || what == "stray") {
      words >> name;
      std::getline(words >> std::ws, value);
      std::string key = protocol_.key(group, name);
      if (what == "stray") key[0] = 0x7f;
      if (what == "note") {
        d->note(d->self, bytes(key), bytes(value));
      } else {
        d->record(d->self, bytes(key),
                  what == "tombstone" ? muster_bytes{nullptr, 0} : bytes(value));
      }
      return true;
    }
    if (what == "whose") {
      words >> name;
      muster_group_owner owner{};
      owner.struct_size = offsetof(muster_group_owner, facet);
      if (host_->find_group(host_->self, str(name), &owner) != MUSTER_OK) return true;
      const bool spoiled = owner.struct_size != offsetof(muster_group_owner, facet) ||
                           owner.facet != nullptr || owner.shard != nullptr;
      value = std::string(owner.name.data, owner.name.size) + (spoiled ? " and more" : "");
      d->respond(d->self, bytes(value));
      return true;
    }
    if (what == "delete" || what == "export") {
      words >> name;
      muster_group_owner owner{};
      owner.struct_size = sizeof owner;
      if (host_->find_group(host_->self, str(name), &owner) != MUSTER_OK) return true;
      if (what == "delete") {
        owner.facet->remove(owner.shard, str(name), owner.decision);
      } else {
        const muster_record_sink sink{sizeof sink, nullptr,
                                      [](void*, std::uint64_t, muster_bytes, muster_bytes) {}};
        owner.facet->export_group(owner.shard, str(name), owner.decision, &sink);
      }
      return true;
    }
    return false;
  }

  bool effect(const std::string& what, std::istringstream& words, const muster_decision* d) const {
    std::string name;
    std::string rest;
    std::uint64_t number = 0;
    std::uint32_t ms = 0;
    if (what == "timer") {
      words >> name >> ms;
      d->timer(d->self, str(name), ms);
    } else if (what == "cancel") {
      words >> name;
      d->cancel(d->self, str(name));
    } else if (what == "park") {
      words >> number >> ms;
      d->park(d->self, number, ms);
    } else if (what == "complete") {
      words >> number;
      std::getline(words >> std::ws, rest);
      d->complete(d->self, number, bytes(rest));
    } else if (what == "offload") {
      words >> name >> number;
      std::getline(words >> std::ws, rest);
      d->offload(d->self, str(name), number, str(rest));
    } else if (what == "call") {
      std::int16_t api = 0;
      std::int16_t version = 0;
      words >> number >> api >> version;
      std::getline(words >> std::ws, rest);
      d->call(d->self, number, 1, api, version, bytes(rest));
    } else if (what == "close") {
      words >> number;
      d->close_connection(d->self, number);
    } else {
      return false;
    }
    return true;
  }

  void answer(const std::string& what, std::istringstream& words, const muster_request* request,
              const muster_decision* d) const {
    std::string rest;
    std::getline(words >> std::ws, rest);
    if (what == "none") d->no_response(d->self);
    if (what == "state") rest = dump(MUSTER_DIGEST_DURABLE) + "|" + dump(MUSTER_DIGEST_NOTED);
    if (what == "owner") rest = text(request->owner);
    if (what == "respond" || what == "state" || what == "owner") d->respond(d->self, bytes(rest));
  }

  ScriptProtocol& protocol_;
  const muster_shard* host_;
  std::map<std::string, std::string> records_;
  std::map<std::string, std::string> notes_;
};

namespace {

ScriptProtocol::Shard& shard(void* object) { return *static_cast<ScriptProtocol::Shard*>(object); }

}  // namespace

std::string ScriptProtocol::key(std::string_view group, std::string_view name) const {
  std::string key;
  key.push_back(static_cast<char>(record_type_ >> 8));
  key.push_back(static_cast<char>(record_type_));
  key.push_back(static_cast<char>(group.size() >> 8));
  key.push_back(static_cast<char>(group.size()));
  key.append(group).append(name);
  return key;
}

ScriptProtocol::ScriptProtocol(Setting setting) : record_type_(setting.record_type) {
  claim_ = {setting.api_key,
            0,
            1,
            1,
            MUSTER_SCOPE_GROUP,
            setting.creates ? std::uint16_t{1} : std::uint16_t{0}};
  type_ = {record_type_, record_type_};
  table_.struct_size = sizeof table_;
  table_.apis = &claim_;
  table_.api_count = 1;
  table_.types = &type_;
  table_.type_count = 1;
  table_.shard_space = "groups";
  table_.facet = &facet_;
  set_pure_slots();
  set_shard_slots();
  set_event_slots();
}

// Bodies for route: "every SCRIPT", "parts G1,G2 SCRIPT", "bad", else "GROUP\nSCRIPT".
void ScriptProtocol::set_pure_slots() {
  table_.route = [](void*, const muster_request* request, const muster_route_sink* out) {
    const std::string body = text(request->body);
    if (body == "bad") return muster_code{MUSTER_INVALID_ARGUMENT};
    if (body.starts_with("every ")) {
      out->every_shard(out->self, bytes(body.substr(6)));
    } else if (body.starts_with("parts ")) {
      std::istringstream words(body.substr(6));
      std::string groups;
      std::string script;
      words >> groups;
      std::getline(words >> std::ws, script);
      std::istringstream names(groups);
      for (std::string name; std::getline(names, name, ',');) {
        out->part(out->self, MUSTER_SCOPE_GROUP, str(name), bytes(script));
      }
    } else {
      out->key(out->self, {body.data(), std::min(body.find('\n'), body.size())});
    }
    return muster_code{MUSTER_OK};
  };
  table_.join = [](void*, const muster_request*, const muster_bytes* parts, std::uint32_t count,
                   const muster_bytes_sink* out) {
    std::string all;
    for (std::uint32_t i = 0; i < count; ++i) all += (i == 0 ? "" : "+") + text(parts[i]);
    out->bytes(out->self, bytes(all));
    return muster_code{MUSTER_OK};
  };
  table_.refuse = [](void*, const muster_request*, std::int16_t error, muster_str,
                     const muster_bytes_sink* out) {
    out->bytes(out->self, bytes("refused " + std::to_string(error)));
    return muster_code{MUSTER_OK};
  };
  table_.work = [](void*, muster_str kind, muster_bytes input, const muster_bytes_sink* out,
                   const muster_error_sink*) {
    if (text(kind) == "work/fail") return muster_code{MUSTER_INTERNAL};
    out->bytes(out->self, bytes("worked on " + text(input)));
    return muster_code{MUSTER_OK};
  };
}

void ScriptProtocol::set_shard_slots() {
  table_.shard_open = [](void* self, const muster_shard* host, const muster_error_sink*) -> void* {
    return new Shard(*static_cast<ScriptProtocol*>(self), host);
  };
  table_.shard_close = [](void* object) { delete &shard(object); };
  table_.replay = [](void* object, std::uint64_t, std::int32_t kind, muster_bytes key,
                     muster_bytes value, const muster_directory* directory) {
    return shard(object).replay(kind, text(key), value, directory);
  };
  table_.decide = [](void* object, const muster_request* request, const muster_decision* decision,
                     const muster_error_sink* error) {
    std::string body = text(request->body);
    const std::string group = text(request->key);
    if (!group.empty() && body.starts_with(group + "\n")) body.erase(0, group.size() + 1);
    return shard(object).run(body, request, decision, error);
  };
  table_.digest = [](void* object, std::int32_t part, const muster_bytes_sink* out) {
    out->bytes(out->self, bytes(shard(object).dump(part)));
    return muster_code{MUSTER_OK};
  };
  facet_.struct_size = sizeof facet_;
  facet_.remove = [](void* object, muster_str group, const muster_decision* decision) {
    const muster_error_sink none{sizeof none, nullptr, [](void*, muster_str) {}};
    muster_request request{};
    request.key = group;
    shard(object).run("tombstone own", &request, decision, &none);
    return std::int16_t{0};
  };
  facet_.export_group = [](void* object, muster_str group, const muster_decision* decision,
                           const muster_record_sink*) {
    const muster_error_sink none{sizeof none, nullptr, [](void*, muster_str) {}};
    muster_request request{};
    request.key = group;
    return shard(object).run("tombstone own", &request, decision, &none);
  };
}

void ScriptProtocol::set_event_slots() {
  table_.on_loaded = [](void* object, const muster_decision* d, const muster_error_sink* e) {
    return shard(object).slot("on_loaded", "", d, e);
  };
  table_.on_timer = [](void* object, muster_str key, const muster_decision* d,
                       const muster_error_sink* e) {
    return shard(object).slot("on_timer", text(key), d, e);
  };
  table_.on_expired = [](void* object, std::uint64_t token, const muster_decision* d,
                         const muster_error_sink* e) {
    return shard(object).slot("on_expired", std::to_string(token), d, e);
  };
  table_.task_input = [](void* object, muster_str key, std::uint64_t, muster_str kind,
                         const muster_input_sink* out) {
    if (!text(kind).starts_with("work/")) {
      static constexpr std::uint32_t none[] = {0};
      muster_partition_assignor_view view{};
      view.struct_size = sizeof view;
      view.topic_first = view.subscription_first = view.partition_rack_first = none;
      out->partitions(out->self, &view);
      return muster_code{MUSTER_OK};
    }
    out->bytes(out->self, bytes(text(key) + ":" + shard(object).kept("g/input")));
    return muster_code{MUSTER_OK};
  };
  table_.on_task = [](void* object, muster_str key, std::uint64_t epoch, muster_str,
                      muster_code outcome, muster_bytes result, const muster_decision* d,
                      const muster_error_sink* e) {
    const std::string what = text(key) + " " + std::to_string(epoch) + " " +
                             std::to_string(outcome) + " " + text(result);
    return shard(object).slot("on_task", what, d, e);
  };
  table_.on_reply = [](void* object, std::uint64_t token, const muster_reply* reply,
                       const muster_decision* d, const muster_error_sink* e) {
    std::string what = std::to_string(token) + " " + std::to_string(reply->kafka_error);
    for (std::uint32_t i = 0; i < reply->part_count; ++i) what += " " + text(reply->parts[i]);
    return shard(object).slot("on_reply", what, d, e);
  };
  table_.on_metadata = [](void* object, const muster_metadata_view*,
                          const muster_topic_change* changes, std::uint32_t count,
                          const muster_decision* d, const muster_error_sink* e) {
    return shard(object).slot("on_metadata", count == 0 ? "" : text(changes[0].name), d, e);
  };
  table_.on_disconnect = [](void* object, std::uint64_t connection, const muster_decision* d,
                            const muster_error_sink* e) {
    return shard(object).slot("on_disconnect", std::to_string(connection), d, e);
  };
  table_.on_owner = [](void* object, muster_str group, std::int32_t mine, const muster_decision* d,
                       const muster_error_sink* e) {
    return shard(object).slot(mine != 0 ? "on_gained" : "on_lost", text(group), d, e);
  };
}

}  // namespace muster::testing
