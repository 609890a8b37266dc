// Services without a host behind them.
#include "plugins/probe_host.hpp"

#include <chrono>
#include <random>
#include <string_view>

namespace muster::host {
namespace {

const muster_log_v1 log_service{sizeof(muster_log_v1), nullptr,
                                [](void*, std::int32_t, muster_str) {},
                                [](void*, std::int32_t) { return 0; }};

const muster_clock_v1 clock_service{
    sizeof(muster_clock_v1), nullptr,
    [](void*) -> std::int64_t {
      const auto now = std::chrono::system_clock::now().time_since_epoch();
      return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    },
    [](void*) -> std::int64_t {
      const auto now = std::chrono::steady_clock::now().time_since_epoch();
      return std::chrono::duration_cast<std::chrono::microseconds>(now).count();
    }};

const muster_random_v1 random_service{sizeof(muster_random_v1), nullptr,
                                      [](void*, std::uint8_t* out, std::size_t size) {
                                        std::random_device device;
                                        for (std::size_t i = 0; i < size; ++i) {
                                          out[i] = static_cast<std::uint8_t>(device());
                                        }
                                      }};

const muster_metrics_v1 metrics_service{sizeof(muster_metrics_v1), nullptr,
                                        [](void*, muster_str, muster_str, muster_str) { return 0; },
                                        [](void*, muster_str, muster_str, muster_str) { return 0; },
                                        [](void*, std::int32_t, double) {}};

const muster_authorize_v1 authorize_service{
    sizeof(muster_authorize_v1), nullptr,
    [](void*, muster_str, muster_str, std::int32_t, std::int32_t, muster_str) { return 1; }};

const muster_metadata_view empty_metadata{
    sizeof(muster_metadata_view),
    nullptr,
    0,
    0,
    [](void*, muster_str) -> const muster_topic* { return nullptr; },
    [](void*, const muster_uuid*) -> const muster_topic* { return nullptr; },
    [](void*, std::uint32_t) -> const muster_topic* { return nullptr; }};

const muster_metadata_v1 metadata_service{sizeof(muster_metadata_v1), nullptr,
                                          [](void*) { return &empty_metadata; },
                                          [](void*, const muster_metadata_view*) {}};

const muster_node_v1 node_service{
    sizeof(muster_node_v1),
    nullptr,
    [](void*) { return 0; },
    [](void*, muster_str, const muster_bytes_sink*, std::int32_t*) -> muster_code {
      return MUSTER_UNAVAILABLE;
    },
    [](void*, muster_str, std::uint32_t, const muster_bytes_sink*, std::int32_t*,
       std::uint64_t*) -> muster_code { return MUSTER_UNAVAILABLE; },
    [](void*, const muster_bytes_sink*) -> muster_code { return MUSTER_UNAVAILABLE; }};

const void* find_service(void*, muster_str id) {
  const std::string_view name(id.data, id.size);
  if (name == MUSTER_SERVICE_LOG) return &log_service;
  if (name == MUSTER_SERVICE_CLOCK) return &clock_service;
  if (name == MUSTER_SERVICE_RANDOM) return &random_service;
  if (name == MUSTER_SERVICE_METRICS) return &metrics_service;
  if (name == MUSTER_SERVICE_AUTHORIZE) return &authorize_service;
  if (name == MUSTER_SERVICE_METADATA) return &metadata_service;
  if (name == MUSTER_SERVICE_NODE) return &node_service;
  return nullptr;
}

}  // namespace

const muster_host& probe_host() {
  static const muster_host host{
      sizeof(muster_host), MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, "probe", nullptr, find_service};
  return host;
}

}  // namespace muster::host
