// The host that a broker under test gets: a clock and denials that the test sets, random bytes from
// a seed, one listener. Any thread, but for what the test sets.
#pragma once

#include <muster/abi/host.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace muster::embedded::test {

struct Denial {
  std::int32_t operation;
  std::int32_t type;
  std::string resource;  // "*": every one
};

class RigHost {
 public:
  static constexpr std::int32_t node_id = 3;
  static constexpr std::int32_t port = 9092;

  std::atomic<std::int64_t> now_ms{1'700'000'000'000};
  std::vector<Denial> denials;

  const muster_host* table() const { return &host_; }
  std::vector<std::string> log_lines();

 private:
  static RigHost& of(void* self) { return *static_cast<RigHost*>(self); }
  static const void* get_service(void* self, muster_str id);
  static void write(void* self, std::int32_t level, muster_str message);
  static std::int32_t enabled(void*, std::int32_t) { return 1; }
  static std::int64_t wall_ms(void* self) { return of(self).now_ms; }
  static std::int64_t monotonic_us(void* self) { return of(self).now_ms * 1000; }
  static void fill(void* self, std::uint8_t* out, std::size_t size);
  static std::int32_t allowed(void* self, muster_str principal, muster_str client_host,
                              std::int32_t operation, std::int32_t type, muster_str resource);
  static std::int32_t get_node_id(void*) { return node_id; }
  static muster_code advertised(void*, muster_str listener, const muster_bytes_sink* host,
                                std::int32_t* out_port);

  std::mutex mutex_;
  std::vector<std::string> log_lines_;
  std::atomic<std::uint64_t> seed_{1};

  muster_log_v1 log_{sizeof log_, this, &write, &enabled};
  muster_clock_v1 clock_{sizeof clock_, this, &wall_ms, &monotonic_us};
  muster_random_v1 random_{sizeof random_, this, &fill};
  muster_authorize_v1 authorize_{sizeof authorize_, this, &allowed};
  muster_node_v1 node_{sizeof node_, this, &get_node_id, &advertised, nullptr, nullptr};
  muster_host host_{sizeof host_, MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, "test", this, &get_service};
};

}  // namespace muster::embedded::test
