// The host of a ProtocolRig: a clock that a test moves, seeded random bytes, captured log lines, an
// authoriser that allows all but what a test denies, options from the plugin's own declaration.
// Tests only; one thread.
#pragma once

#include <muster/abi/host.h>
#include <muster/abi/plugin.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <muster/testing/fake_decision.hpp>
#include <muster/testing/fake_metadata.hpp>

namespace muster::testing {

// Option values as text, by name and group ("" = host scope).
class RigOptions {
 public:
  explicit RigOptions(const muster_export& declared)
      : options_(declared.options, declared.options + declared.option_count) {}
  RigOptions(const RigOptions&) = delete;
  RigOptions& operator=(const RigOptions&) = delete;

  void set(const std::string& name, const std::string& value, const std::string& group = {}) {
    if (index_of(name) < 0) throw std::logic_error("option not declared: " + name);
    values_[{name, group}] = value;
  }
  const muster_options* table() const { return &table_; }

 private:
  static RigOptions& of(void* self) { return *static_cast<RigOptions*>(self); }
  std::int32_t index_of(std::string_view name) const {
    for (std::size_t i = 0; i < options_.size(); ++i) {
      if (name == options_[i].name) return static_cast<std::int32_t>(i);
    }
    return -1;
  }
  const std::string& text(std::int32_t option, std::string_view group) {
    const muster_option& declared = options_.at(static_cast<std::size_t>(option));
    const bool of_group = declared.scope == MUSTER_OPTION_GROUP;
    const auto found = values_.find({declared.name, of_group ? std::string{group} : std::string{}});
    if (found != values_.end()) return found->second;
    if (declared.default_of != nullptr) return text(index_of(declared.default_of), {});
    return scratch_ = declared.default_value == nullptr ? "" : declared.default_value;
  }
  static const std::string& text_of(void* self, std::int32_t option, muster_str group) {
    return of(self).text(option, {group.data, group.size});
  }

  static std::int32_t find(void* self, muster_str name) {
    return of(self).index_of({name.data, name.size});
  }
  static std::int32_t boolean(void* self, std::int32_t option, muster_str group) {
    return text_of(self, option, group) == "true";
  }
  static std::int64_t int64(void* self, std::int32_t option, muster_str group) {
    return std::stoll(text_of(self, option, group));
  }
  static double float64(void* self, std::int32_t option, muster_str group) {
    return std::stod(text_of(self, option, group));
  }
  static muster_str string(void* self, std::int32_t option, muster_str group) {
    return to_str(text_of(self, option, group));
  }
  static std::uint32_t list(void* self, std::int32_t option, muster_str group,
                            const muster_str** items) {
    of(self).list_text_ = text_of(self, option, group);
    std::string_view rest = of(self).list_text_;
    of(self).list_.clear();
    while (!rest.empty()) {
      const std::size_t comma = rest.find(',');
      std::string_view item = rest.substr(0, comma);
      rest = comma == rest.npos ? std::string_view{} : rest.substr(comma + 1);
      while (item.starts_with(' ')) item.remove_prefix(1);
      while (item.ends_with(' ')) item.remove_suffix(1);
      of(self).list_.push_back(to_str(item));
    }
    *items = of(self).list_.data();
    return static_cast<std::uint32_t>(of(self).list_.size());
  }

  std::vector<muster_option> options_;
  std::map<std::pair<std::string, std::string>, std::string> values_;
  std::string scratch_;
  std::string list_text_;
  std::vector<muster_str> list_;
  muster_options table_{sizeof table_, this, &find, &boolean, &int64, &float64, &string, &list};
};

class RigHost {
 public:
  struct Denial {
    std::int32_t operation, resource_type;
    std::string resource;  // "*": every one
  };

  explicit RigHost(FakeMetadata* metadata) : metadata_(metadata) {}
  RigHost(const RigHost&) = delete;
  RigHost& operator=(const RigHost&) = delete;

  std::int64_t now_ms = 1'700'000'000'000;
  std::vector<Denial> denied;
  std::vector<std::pair<std::int32_t, std::string>> log_lines;
  std::uint64_t seed = 1;
  std::string data_folder;  // empty: this host keeps nothing

  const muster_host* table() const { return &host_; }

 private:
  static RigHost& of(void* self) { return *static_cast<RigHost*>(self); }

  static const void* get_service(void* self, muster_str id) {
    const std::string_view name{id.data, id.size};
    if (name == MUSTER_SERVICE_LOG) return &of(self).log_;
    if (name == MUSTER_SERVICE_CLOCK) return &of(self).clock_;
    if (name == MUSTER_SERVICE_RANDOM) return &of(self).random_;
    if (name == MUSTER_SERVICE_AUTHORIZE) return &of(self).authorize_;
    if (name == MUSTER_SERVICE_METADATA) return &of(self).metadata_service_;
    if (name == MUSTER_SERVICE_NODE) return &of(self).node_;
    return nullptr;
  }
  static void write(void* self, std::int32_t level, muster_str message) {
    of(self).log_lines.emplace_back(level, copy_of(message));
  }
  static std::int32_t enabled(void*, std::int32_t) { return 1; }
  static std::int64_t wall_ms(void* self) { return of(self).now_ms; }
  static std::int64_t monotonic_us(void* self) { return of(self).now_ms * 1000; }
  static void fill(void* self, std::uint8_t* out, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) {  // splitmix64
      std::uint64_t z = (of(self).seed += 0x9E3779B97F4A7C15U);
      z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
      z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
      out[i] = static_cast<std::uint8_t>(z ^ (z >> 31));
    }
  }
  static std::int32_t allowed(void* self, muster_str, muster_str, std::int32_t operation,
                              std::int32_t resource_type, muster_str resource) {
    for (const Denial& denial : of(self).denied) {
      if (denial.operation == operation && denial.resource_type == resource_type &&
          (denial.resource == "*" || denial.resource == copy_of(resource))) {
        return 0;
      }
    }
    return 1;
  }
  static const muster_metadata_view* acquire(void* self) { return of(self).metadata_->view(); }
  static void release(void*, const muster_metadata_view*) {}
  static std::int32_t node_id(void*) { return 0; }
  static muster_code give_data_folder(void* self, const muster_bytes_sink* out) {
    const std::string& folder = of(self).data_folder;
    if (folder.empty()) return MUSTER_UNAVAILABLE;
    out->bytes(out->self, {reinterpret_cast<const std::uint8_t*>(folder.data()), folder.size()});
    return MUSTER_OK;
  }

  FakeMetadata* metadata_;
  muster_host host_{sizeof host_, MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, "rig", this, &get_service};
  muster_log_v1 log_{sizeof log_, this, &write, &enabled};
  muster_clock_v1 clock_{sizeof clock_, this, &wall_ms, &monotonic_us};
  muster_random_v1 random_{sizeof random_, this, &fill};
  muster_authorize_v1 authorize_{sizeof authorize_, this, &allowed};
  muster_metadata_v1 metadata_service_{sizeof metadata_service_, this, &acquire, &release};
  muster_node_v1 node_{sizeof node_, this, &node_id, nullptr, nullptr, &give_data_folder};
};

}  // namespace muster::testing
