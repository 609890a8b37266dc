#include "rig_host.hpp"

namespace muster::embedded::test {
namespace {

std::string_view view(muster_str text) { return {text.data, text.size}; }

}  // namespace

std::vector<std::string> RigHost::log_lines() {
  const std::lock_guard lock(mutex_);
  return log_lines_;
}

const void* RigHost::get_service(void* self, muster_str id) {
  RigHost& host = of(self);
  if (view(id) == MUSTER_SERVICE_LOG) return &host.log_;
  if (view(id) == MUSTER_SERVICE_CLOCK) return &host.clock_;
  if (view(id) == MUSTER_SERVICE_RANDOM) return &host.random_;
  if (view(id) == MUSTER_SERVICE_AUTHORIZE) return &host.authorize_;
  if (view(id) == MUSTER_SERVICE_NODE) return &host.node_;
  return nullptr;
}

void RigHost::write(void* self, std::int32_t, muster_str message) {
  RigHost& host = of(self);
  const std::lock_guard lock(host.mutex_);
  host.log_lines_.emplace_back(view(message));
}

void RigHost::fill(void* self, std::uint8_t* out, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {  // splitmix64
    std::uint64_t z = of(self).seed_ += 0x9E3779B97F4A7C15U;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    out[i] = static_cast<std::uint8_t>(z ^ (z >> 31));
  }
}

std::int32_t RigHost::allowed(void* self, muster_str, muster_str, std::int32_t operation,
                              std::int32_t type, muster_str resource) {
  for (const Denial& denial : of(self).denials) {
    if (denial.operation == operation && denial.type == type &&
        (denial.resource == "*" || denial.resource == view(resource))) {
      return 0;
    }
  }
  return 1;
}

muster_code RigHost::advertised(void*, muster_str listener, const muster_bytes_sink* host,
                                std::int32_t* out_port) {
  const std::string name = view(listener) == "outside" ? "broker.example" : "127.0.0.1";
  host->bytes(host->self, {reinterpret_cast<const std::uint8_t*>(name.data()), name.size()});
  *out_port = port;
  return MUSTER_OK;
}

}  // namespace muster::embedded::test
