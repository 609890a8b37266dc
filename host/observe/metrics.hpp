// Counters, gauges and histograms. Owner: host/observe.
//
// Threads: [any]. Handles are good for the life of the Metrics. An increment is one relaxed atomic
// add on a cache line that few threads share.
#pragma once

#include <muster/abi/host.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace muster::host {

// Which stripe the calling thread adds to.
[[nodiscard]] std::size_t metric_stripe() noexcept;
inline constexpr std::size_t metric_stripes = 8;

class Counter {
 public:
  void add(std::uint64_t by = 1) noexcept {
    stripes_[metric_stripe()].value.fetch_add(by, std::memory_order_relaxed);
  }
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  struct alignas(64) Stripe {
    std::atomic<std::uint64_t> value{0};
  };
  std::array<Stripe, metric_stripes> stripes_;
};

class Gauge {
 public:
  void set(double value) noexcept { value_.store(value, std::memory_order_relaxed); }
  void add(double by) noexcept { value_.fetch_add(by, std::memory_order_relaxed); }
  [[nodiscard]] double value() const noexcept { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> value_{0};
};

// Bounds are fixed at birth and few: an observation searches them in order.
class Histogram {
 public:
  explicit Histogram(std::span<const double> upper_bounds);
  void observe(double value) noexcept;

  struct Reading {
    std::vector<double> upper_bounds;
    std::vector<std::uint64_t> counts;  // one more than bounds; not cumulative
    double sum = 0;
  };
  [[nodiscard]] Reading read() const;

 private:
  std::vector<double> upper_bounds_;
  std::vector<std::atomic<std::uint64_t>> counts_;
  std::atomic<double> sum_{0};
};

// Name, help, and labels as "state=Empty,type=consumer".
struct MetricName {
  std::string_view name;
  std::string_view help;
  std::string_view labels = {};
};

class Metrics {
 public:
  Metrics();
  ~Metrics();
  Metrics(const Metrics&) = delete;
  Metrics& operator=(const Metrics&) = delete;

  // Asking twice gives the same object. A name keeps the kind it had first; asking for another kind
  // gives an object that is not exported.
  Counter& counter(const MetricName& name);
  Gauge& gauge(const MetricName& name);
  Histogram& histogram(const MetricName& name, std::span<const double> upper_bounds);

  // muster.metrics/1.
  [[nodiscard]] const muster_metrics_v1* service();

  // The Prometheus text format, names ascending.
  [[nodiscard]] std::string text() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace muster::host
