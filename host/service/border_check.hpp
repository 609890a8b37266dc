// The debug host: wraps a group protocol's table so that every call over it is looked at. It tells
// who breaks a thread tag or keeps a sink, as the border promises or forbids it (docs/border.md);
// nothing else changes. For plugin authors and tests; costs some nanoseconds a call. [any]
#pragma once

#include "runtime/ports.hpp"
#include "runtime/protocol_set.hpp"

#include <memory>
#include <vector>

namespace muster::host {

struct CheckedProtocol;

class BorderCheck {
 public:
  BorderCheck(Observer& observer, Clock& clock);
  ~BorderCheck();
  BorderCheck(const BorderCheck&) = delete;
  BorderCheck& operator=(const BorderCheck&) = delete;

  // [control] What to use in the protocol's place while this lives. create and destroy are not
  // wrapped: they are the original's.
  [[nodiscard]] Protocol around(const Protocol& protocol);

 private:
  Observer& observer_;
  Clock& clock_;
  std::vector<std::unique_ptr<CheckedProtocol>> protocols_;
};

}  // namespace muster::host
