// Drives a group protocol through its C table, one shard of it, as the host does. A slot that
// changes state or breaks another promise throws std::logic_error. Tests only; one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <muster/testing/rig_core.hpp>

namespace muster::testing {

class ProtocolRig : public RigCore {
 public:
  using RigCore::RigCore;

  Routed route(const RequestSpec& spec) {
    Routed out;
    RouteCollector sink(spec, &out);
    const RequestTable request(spec);
    out.code = table()->route(self(), request.table(), sink.table());
    return out;
  }
  // As the host does it: folds only what is not exactly one part.
  Buffer join(const RequestSpec& spec, const std::vector<Buffer>& parts) {
    if (parts.size() == 1) return parts.front();
    std::vector<muster_bytes> views;
    for (const Buffer& part : parts) views.push_back(to_bytes(part));
    ByteCollector out;
    const RequestTable request(spec);
    const auto count = static_cast<std::uint32_t>(views.size());
    if (table()->join(self(), request.table(), views.data(), count, out.table()) != MUSTER_OK) {
      throw std::logic_error("join failed");
    }
    return out.bytes;
  }
  std::pair<muster_code, Buffer> try_refuse(const RequestSpec& spec, std::int16_t error) {
    ByteCollector out;
    const RequestTable request(spec);
    const muster_code code =
        table()->refuse(self(), request.table(), error, to_str(""), out.table());
    return {code, out.bytes};
  }
  Buffer refuse(const RequestSpec& spec, std::int16_t error) {
    auto [code, body] = try_refuse(spec, error);
    if (code != MUSTER_OK) throw std::logic_error("refuse failed");
    return body;
  }

  Outcome decide(const RequestSpec& spec) {
    const RequestTable request(spec);
    return run("decide", [&](const muster_decision* out, const muster_error_sink* error) {
      return table()->decide(shard_object(), request.table(), out, error);
    });
  }
  // The whole way of a request: route, decide part by part, join. All parts live in this shard.
  Buffer answer(const RequestSpec& spec) {
    const Routed routed = route(spec);
    if (routed.code != MUSTER_OK) throw std::logic_error("route refused the body");
    std::vector<Buffer> bodies;
    for (const RoutedPart& part : routed.parts) {
      RequestSpec one = spec;
      one.body = part.body;
      one.key = part.key;
      const Outcome outcome = decide(one);
      if (!outcome.response) throw std::logic_error("no answer: " + outcome.error);
      bodies.push_back(*outcome.response);
    }
    return join(spec, bodies);
  }

  Outcome on_timer(const std::string& key) {
    timers.erase(key);
    return run("on_timer", [&](const muster_decision* out, const muster_error_sink* error) {
      return table()->on_timer(shard_object(), to_str(key), out, error);
    });
  }
  Outcome on_expired(std::uint64_t token) {
    return run("on_expired", [&](const muster_decision* out, const muster_error_sink* error) {
      return table()->on_expired(shard_object(), token, out, error);
    });
  }
  Outcome on_task(const Offload& task, muster_code how, muster_bytes result) {
    return run("on_task", [&](const muster_decision* out, const muster_error_sink* error) {
      return table()->on_task(shard_object(), to_str(task.key), task.epoch, to_str(task.kind), how,
                              result, out, error);
    });
  }
  muster_code task_input(const Offload& task, const muster_input_sink* out) {
    return table()->task_input(shard_object(), to_str(task.key), task.epoch, to_str(task.kind),
                               out);
  }
  Outcome on_reply(std::uint64_t token, const muster_reply& reply) {
    return run("on_reply", [&](const muster_decision* out, const muster_error_sink* error) {
      return table()->on_reply(shard_object(), token, &reply, out, error);
    });
  }
  // What was done to `metadata` since the last time.
  Outcome on_metadata() {
    const std::vector<muster_topic_change> changes = metadata.take_changes();
    const auto count = static_cast<std::uint32_t>(changes.size());
    return run("on_metadata", [&](const muster_decision* out, const muster_error_sink* error) {
      return table()->on_metadata(shard_object(), metadata.view(), changes.data(), count, out,
                                  error);
    });
  }
  Outcome on_disconnect(std::uint64_t connection) {
    return run("on_disconnect", [&](const muster_decision* out, const muster_error_sink* error) {
      return table()->on_disconnect(shard_object(), connection, out, error);
    });
  }
  Outcome on_owner(const std::string& group, bool mine) {
    return run("on_owner", [&](const muster_decision* out, const muster_error_sink* error) {
      return table()->on_owner(shard_object(), to_str(group), mine ? 1 : 0, out, error);
    });
  }

  // Moves the clock and fires every timer due on the way, each at its time.
  std::vector<Outcome> advance(std::int64_t ms) {
    std::vector<Outcome> fired;
    const std::int64_t until = host.now_ms + ms;
    for (;;) {
      const auto next = std::ranges::min_element(timers, {}, [](const auto& timer) {
        return std::pair{timer.second, timer.first};
      });
      if (next == timers.end() || next->second > until) break;
      host.now_ms = std::max(host.now_ms, next->second);
      fired.push_back(on_timer(std::string{next->first}));
    }
    host.now_ms = until;
    return fired;
  }
};

}  // namespace muster::testing
