// Counters, gauges, histograms, and their text.
#include "observe/metrics.hpp"

#include <gmock/gmock.h>

#include <thread>

namespace muster::host {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

muster_str str(std::string_view text) { return {text.data(), text.size()}; }

TEST(Metrics, CounterCountsFromManyThreads) {
  Metrics metrics;
  Counter& counter = metrics.counter({"requests", "Requests."});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 1000; ++j) counter.add();
    });
  }
  for (std::thread& thread : threads) thread.join();
  counter.add(5);

  EXPECT_EQ(counter.value(), 4005u);
  EXPECT_THAT(metrics.text(), HasSubstr("# HELP requests Requests.\n# TYPE requests counter\n"
                                        "requests 4005"));
}

TEST(Metrics, SameNameAndLabelsAreTheSameObject) {
  Metrics metrics;
  Counter& a = metrics.counter({"groups", "Groups.", "state=Empty,type=consumer"});
  Counter& b = metrics.counter({"groups", "Groups.", "type=consumer,state=Empty"});
  Counter& c = metrics.counter({"groups", "Groups.", "state=Stable,type=consumer"});
  a.add();

  EXPECT_EQ(&a, &b);
  EXPECT_NE(&a, &c);
  EXPECT_THAT(metrics.text(), HasSubstr("groups{state=\"Empty\",type=\"consumer\"} 1"));
}

TEST(Metrics, GaugeGoesUpAndDown) {
  Metrics metrics;
  Gauge& gauge = metrics.gauge({"parked", "Parked requests."});
  gauge.set(10);
  gauge.add(-3);

  EXPECT_EQ(gauge.value(), 7);
  EXPECT_THAT(metrics.text(), HasSubstr("# TYPE parked gauge\nparked 7"));
}

TEST(Metrics, HistogramBucketsAreCumulativeInTheText) {
  Metrics metrics;
  const double bounds[] = {1, 10};
  Histogram& histogram = metrics.histogram({"ms", "Time."}, bounds);
  for (const double value : {0.5, 1.0, 5.0, 50.0}) histogram.observe(value);

  const std::string text = metrics.text();
  EXPECT_THAT(text, HasSubstr("ms_count 4"));
  EXPECT_THAT(text, HasSubstr("ms_sum 56.5"));
  EXPECT_THAT(text, HasSubstr("ms_bucket{le=\"1\"} 2"));
  EXPECT_THAT(text, HasSubstr("ms_bucket{le=\"10\"} 3"));
  EXPECT_THAT(text, HasSubstr("ms_bucket{le=\"+Inf\"} 4"));
}

TEST(Metrics, OtherKindOfAKnownNameIsNotExported) {
  Metrics metrics;
  metrics.counter({"x", "X."}).add(2);
  metrics.gauge({"x", "X."}).set(9);

  EXPECT_THAT(metrics.text(), HasSubstr("x 2"));
  EXPECT_THAT(metrics.text(), Not(HasSubstr("9")));
}

TEST(Metrics, PluginsNamesAreMadeLegal) {
  Metrics metrics;
  metrics.counter({"group-count", "G.", "my label=a b"}).add();

  EXPECT_THAT(metrics.text(), HasSubstr("group_count{my_label=\"a b\"} 1"));
}

TEST(Metrics, ServiceGivesTheSameHandleTwiceAndAdds) {
  Metrics metrics;
  const muster_metrics_v1* service = metrics.service();
  const std::int32_t gauge = service->gauge(service->self, str("members"), str("M."), str("g=a"));
  const std::int32_t counter = service->counter(service->self, str("bumps"), str("B."), {});

  EXPECT_EQ(gauge, service->gauge(service->self, str("members"), str("M."), str("g=a")));
  EXPECT_NE(gauge, counter);
  service->add(service->self, gauge, 2);
  service->add(service->self, gauge, -1);
  service->add(service->self, counter, 3);
  service->add(service->self, counter, -3);
  service->add(service->self, -1, 1);
  service->add(service->self, 4000, 1);
  EXPECT_THAT(metrics.text(), HasSubstr("members{g=\"a\"} 1"));
  EXPECT_THAT(metrics.text(), HasSubstr("bumps 3"));
}

}  // namespace
}  // namespace muster::host
