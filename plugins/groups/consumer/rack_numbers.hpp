// Numbers racks in the order they are met, then says each one's place in sorted order. Racks are
// few and partitions many, so the last ones met are tried first. Value, any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace muster::consumer {

class RackNumbers {
 public:
  std::uint32_t of(std::string_view rack) {
    if (rack == last_rack_ && !numbers_.empty()) return last_number_;
    last_number_ =
        numbers_.try_emplace(rack, static_cast<std::uint32_t>(numbers_.size())).first->second;
    last_rack_ = rack;
    return last_number_;
  }

  // By number: the place in sorted().
  [[nodiscard]] std::vector<std::uint32_t> places() const {
    std::vector<std::uint32_t> out(numbers_.size());
    std::uint32_t place = 0;
    for (const auto& [rack, number] : numbers_) out[number] = place++;
    return out;
  }
  [[nodiscard]] std::vector<std::string_view> sorted() const {
    std::vector<std::string_view> out;
    for (const auto& [rack, number] : numbers_) out.push_back(rack);
    return out;
  }

 private:
  std::map<std::string_view, std::uint32_t> numbers_;
  std::string_view last_rack_;
  std::uint32_t last_number_ = 0;
};

}  // namespace muster::consumer
