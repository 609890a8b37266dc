// A pointer that many threads read and hardly anybody writes. Readers of different threads take
// different locks, so that reading never becomes everybody's queue.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace muster::embedded {

template <class T>
class Published {
 public:
  std::shared_ptr<const T> get() const {
    const Stripe& stripe = stripes_[std::hash<std::thread::id>{}(std::this_thread::get_id()) %
                                    stripes_.size()];
    const std::lock_guard lock(stripe.mutex);
    return stripe.value;
  }

  // Writers must not overlap. A reader may see the old value until this returns.
  void set(std::shared_ptr<const T> value) {
    for (Stripe& stripe : stripes_) {
      const std::lock_guard lock(stripe.mutex);
      stripe.value = value;
    }
  }

 private:
  struct alignas(64) Stripe {
    mutable std::mutex mutex;
    std::shared_ptr<const T> value;
  };

  std::array<Stripe, 16> stripes_;
};

}  // namespace muster::embedded
