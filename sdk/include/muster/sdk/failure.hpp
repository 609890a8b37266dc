// The exception of the layer: a border code and one sentence. It never crosses the border itself;
// the barrier turns it into the code and hands the sentence to the error sink. Any thread.
// Whatever calls into a table of the host may throw it: MUSTER_UNAVAILABLE where the host does not
// offer the slot. Destructors and what is marked noexcept do not.
#pragma once

#include <muster/abi/types.h>

#include <exception>
#include <string>
#include <utility>

namespace muster::sdk {

class Failure : public std::exception {
 public:
  Failure(muster_code code, std::string message) : code_(code), message_(std::move(message)) {}

  muster_code code() const noexcept { return code_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  muster_code code_;
  std::string message_;
};

}  // namespace muster::sdk
