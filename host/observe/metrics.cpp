// Metrics: who has which name, the border's table, the text form by prometheus-cpp.
#include "observe/metrics.hpp"

#include <prometheus/metric_family.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <mutex>
#include <optional>

namespace muster::host {
namespace {

using Labels = std::vector<prometheus::ClientMetric::Label>;
using prometheus::MetricType;

// What plugins call their metrics must not break what reads all of them.
std::string legal_name(std::string_view name, bool is_label) {
  std::string out;
  for (const char c : name) {
    const bool good =
        std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || (c == ':' && !is_label);
    out += good ? c : '_';
  }
  if (out.empty() || std::isdigit(static_cast<unsigned char>(out[0])) != 0) out.insert(0, "_");
  return out;
}

Labels parse_labels(std::string_view text) {
  Labels labels;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    const std::string_view pair = text.substr(0, comma);
    const std::size_t equals = pair.find('=');
    if (equals != std::string_view::npos) {
      labels.push_back(
          {legal_name(pair.substr(0, equals), true), std::string(pair.substr(equals + 1))});
    }
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  std::sort(labels.begin(), labels.end());
  return labels;
}

struct Series {
  Labels labels;
  std::unique_ptr<Counter> counter;
  std::unique_ptr<Gauge> gauge;
  std::unique_ptr<Histogram> histogram;
  std::int32_t handle = -1;
};

struct Family {
  std::string help;
  MetricType type = MetricType::Untyped;
  std::map<Labels, Series> series;
};

prometheus::ClientMetric histogram_metric(const Histogram& histogram) {
  prometheus::ClientMetric metric;
  const Histogram::Reading reading = histogram.read();
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < reading.upper_bounds.size(); ++i) {
    total += reading.counts[i];
    metric.histogram.bucket.push_back({total, reading.upper_bounds[i]});
  }
  metric.histogram.sample_count = total + reading.counts.back();
  metric.histogram.sample_sum = reading.sum;
  return metric;
}

prometheus::ClientMetric metric_of(const Series& series) {
  prometheus::ClientMetric metric;
  if (series.counter) metric.counter.value = static_cast<double>(series.counter->value());
  if (series.gauge) metric.gauge.value = series.gauge->value();
  if (series.histogram) metric = histogram_metric(*series.histogram);
  metric.label = series.labels;
  return metric;
}

constexpr std::size_t most_handles = 4096;

}  // namespace

std::size_t metric_stripe() noexcept {
  static std::atomic<std::size_t> next{0};
  thread_local const std::size_t mine = next.fetch_add(1, std::memory_order_relaxed);
  return mine % metric_stripes;
}

std::uint64_t Counter::value() const noexcept {
  std::uint64_t total = 0;
  for (const Stripe& stripe : stripes_) total += stripe.value.load(std::memory_order_relaxed);
  return total;
}

Histogram::Histogram(std::span<const double> upper_bounds)
    : upper_bounds_(upper_bounds.begin(), upper_bounds.end()), counts_(upper_bounds.size() + 1) {}

void Histogram::observe(double value) noexcept {
  std::size_t bucket = 0;
  while (bucket < upper_bounds_.size() && value > upper_bounds_[bucket]) ++bucket;
  counts_[bucket].fetch_add(1, std::memory_order_relaxed);
  sum_.fetch_add(value, std::memory_order_relaxed);
}

Histogram::Reading Histogram::read() const {
  Reading reading{upper_bounds_, {}, sum_.load(std::memory_order_relaxed)};
  for (const auto& count : counts_) {
    reading.counts.push_back(count.load(std::memory_order_relaxed));
  }
  return reading;
}

struct Metrics::Impl {
  mutable std::mutex mutex;
  std::map<std::string, Family> families;
  std::vector<std::unique_ptr<Series>> not_exported;
  muster_metrics_v1 table{};
  // Read without the lock by `add`; a series never moves or goes.
  std::array<std::atomic<Series*>, most_handles> handles{};
  std::int32_t next_handle = 0;

  Series& find(const MetricName& name, MetricType type) {
    Family& family = families[legal_name(name.name, false)];
    if (family.type == MetricType::Untyped) {
      family.type = type;
      family.help = name.help;
    }
    Labels labels = parse_labels(name.labels);
    if (family.type != type) {
      not_exported.push_back(std::make_unique<Series>());
      return *not_exported.back();
    }
    Series& series = family.series[labels];
    series.labels = std::move(labels);
    return series;
  }

  std::int32_t handle_of(Series& series) {
    if (series.handle < 0 && next_handle < static_cast<std::int32_t>(most_handles)) {
      series.handle = next_handle++;
      handles[static_cast<std::size_t>(series.handle)].store(&series, std::memory_order_release);
    }
    return series.handle;
  }
};

namespace {

MetricName metric_name(muster_str name, muster_str help, muster_str labels) {
  return {{name.data, name.size}, {help.data, help.size}, {labels.data, labels.size}};
}

}  // namespace

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {
  muster_metrics_v1& table = impl_->table;
  table.struct_size = sizeof table;
  table.self = impl_.get();
  table.counter = [](void* self, muster_str name, muster_str help, muster_str labels) {
    Impl& impl = *static_cast<Impl*>(self);
    const std::lock_guard lock(impl.mutex);
    Series& series = impl.find(metric_name(name, help, labels), MetricType::Counter);
    if (!series.counter) series.counter = std::make_unique<Counter>();
    return impl.handle_of(series);
  };
  table.gauge = [](void* self, muster_str name, muster_str help, muster_str labels) {
    Impl& impl = *static_cast<Impl*>(self);
    const std::lock_guard lock(impl.mutex);
    Series& series = impl.find(metric_name(name, help, labels), MetricType::Gauge);
    if (!series.gauge) series.gauge = std::make_unique<Gauge>();
    return impl.handle_of(series);
  };
  table.add = [](void* self, std::int32_t handle, double by) {
    Impl& impl = *static_cast<Impl*>(self);
    if (handle < 0 || handle >= static_cast<std::int32_t>(most_handles)) return;
    Series* series = impl.handles[static_cast<std::size_t>(handle)].load(std::memory_order_acquire);
    if (series == nullptr) return;
    if (series->gauge) series->gauge->add(by);
    if (series->counter && by > 0) series->counter->add(static_cast<std::uint64_t>(by));
  };
}

Metrics::~Metrics() = default;

Counter& Metrics::counter(const MetricName& name) {
  const std::lock_guard lock(impl_->mutex);
  Series& series = impl_->find(name, MetricType::Counter);
  if (!series.counter) series.counter = std::make_unique<Counter>();
  return *series.counter;
}

Gauge& Metrics::gauge(const MetricName& name) {
  const std::lock_guard lock(impl_->mutex);
  Series& series = impl_->find(name, MetricType::Gauge);
  if (!series.gauge) series.gauge = std::make_unique<Gauge>();
  return *series.gauge;
}

Histogram& Metrics::histogram(const MetricName& name, std::span<const double> upper_bounds) {
  const std::lock_guard lock(impl_->mutex);
  Series& series = impl_->find(name, MetricType::Histogram);
  if (!series.histogram) series.histogram = std::make_unique<Histogram>(upper_bounds);
  return *series.histogram;
}

const muster_metrics_v1* Metrics::service() { return &impl_->table; }

std::string Metrics::text() const {
  std::vector<prometheus::MetricFamily> families;
  const std::lock_guard lock(impl_->mutex);
  for (const auto& [name, family] : impl_->families) {
    if (family.series.empty()) continue;
    prometheus::MetricFamily& out = families.emplace_back();
    out.name = name;
    out.help = family.help;
    out.type = family.type;
    for (const auto& [labels, series] : family.series) out.metric.push_back(metric_of(series));
  }
  return prometheus::TextSerializer().Serialize(families);
}

}  // namespace muster::host
