// What stands around every slot of a plugin: nothing is thrown across the border. Exceptions become
// a code and a sentence for the error sink or, where a slot has none, for the log. Any thread.
#pragma once

#include <muster/abi/host.h>

#include <new>
#include <string_view>
#include <type_traits>

#include <muster/sdk/failure.hpp>
#include <muster/sdk/types.hpp>

namespace muster::sdk {

// Where a failed slot leaves its sentence.
class Complaint {
 public:
  constexpr explicit Complaint(const muster_error_sink* sink) : sink_(sink) {}
  constexpr Complaint(const muster_log_v1* log, std::string_view slot) : log_(log), slot_(slot) {}

  void say(const char* message) const noexcept;

 private:
  const muster_error_sink* sink_ = nullptr;
  const muster_log_v1* log_ = nullptr;
  std::string_view slot_;
};

inline void Complaint::say(const char* message) const noexcept {
  try {
    const std::string_view sentence{message};
    if (sink_ != nullptr && covers(*sink_, &muster_error_sink::error) && sink_->error != nullptr) {
      sink_->error(sink_->self, to_str(sentence));
    } else if (log_ != nullptr && covers(*log_, &muster_log_v1::write) && log_->write != nullptr) {
      std::string line{slot_};
      line.append(" failed: ").append(sentence);
      log_->write(log_->self, MUSTER_LOG_ERROR, to_str(line));
    }
  } catch (...) {
    // Out of memory while complaining: the code alone has to do.
  }
}

// Runs the body of a slot. `on_failure(code)` makes the slot's value when something was thrown.
template <class Body, class OnFailure>
auto guarded(Complaint complaint, Body&& body, OnFailure&& on_failure) noexcept
    -> std::invoke_result_t<OnFailure, muster_code> {
  try {
    return body();
  } catch (const Failure& failure) {
    complaint.say(failure.what());
    return on_failure(failure.code() == MUSTER_OK ? MUSTER_INTERNAL : failure.code());
  } catch (const std::bad_alloc&) {
    complaint.say("out of memory");
    return on_failure(MUSTER_UNAVAILABLE);
  } catch (const std::exception& exception) {
    complaint.say(exception.what());
    return on_failure(MUSTER_INTERNAL);
  } catch (...) {
    complaint.say("something that is no std::exception was thrown");
    return on_failure(MUSTER_INTERNAL);
  }
}

// A slot that returns a muster_code; the author's function may return one or nothing.
template <class Body>
muster_code guarded_code(Complaint complaint, Body&& body) noexcept {
  return guarded(
      complaint,
      [&]() -> muster_code {
        if constexpr (std::is_void_v<decltype(body())>) {
          body();
          return MUSTER_OK;
        } else {
          return body();
        }
      },
      [](muster_code code) { return code; });
}

// A slot that returns nothing.
template <class Body>
void guarded_void(Complaint complaint, Body&& body) noexcept {
  guarded(complaint, body, [](muster_code) {});
}

}  // namespace muster::sdk
