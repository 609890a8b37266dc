// Declarations that stand for plugins in the tests of options.
#pragma once

#include "config/options.hpp"

#include <muster/abi/partition_assignor.h>

#include <vector>

namespace muster::host::testing {

constexpr muster_option host_option(const char* name, std::int32_t type, const char* value) {
  muster_option option{};
  option.name = name;
  option.type = type;
  option.scope = MUSTER_OPTION_HOST;
  option.config_type = type == MUSTER_OPTION_BOOL      ? 1
                       : type == MUSTER_OPTION_INT64   ? 3
                       : type == MUSTER_OPTION_FLOAT64 ? 6
                       : type == MUSTER_OPTION_LIST    ? 7
                                                       : 2;
  option.default_value = value;
  option.doc = "A test's option.";
  option.since = "0.1.0";
  return option;
}

constexpr muster_option group_option(const char* name, const char* default_of) {
  muster_option option = host_option(name, MUSTER_OPTION_INT64, nullptr);
  option.scope = MUSTER_OPTION_GROUP;
  option.default_of = default_of;
  option.min = "1";
  return option;
}

// A plugin with any number of exports of options and features.
class FakePlugin {
 public:
  explicit FakePlugin(std::string definition) : definition_(std::move(definition)) {}

  FakePlugin& options(std::vector<muster_option> options) {
    options_ = std::move(options);
    return *this;
  }
  FakePlugin& features(std::vector<muster_feature> features) {
    features_ = std::move(features);
    return *this;
  }
  FakePlugin& offers(const char* interface_id, const char* name) {
    interface_id_ = interface_id;
    name_ = name;
    return *this;
  }
  OptionDeclarer declarer() {
    export_ = {interface_id_,
               name_,
               nullptr,
               options_.data(),
               static_cast<std::uint32_t>(options_.size()),
               features_.data(),
               static_cast<std::uint32_t>(features_.size())};
    return {definition_, {&export_}};
  }

 private:
  std::string definition_;
  const char* interface_id_ = "test/1";
  const char* name_ = "test";
  std::vector<muster_option> options_;
  std::vector<muster_feature> features_;
  muster_export export_{};
};

inline ConfiguredValue configured(std::string name, ValueKind kind, std::string text) {
  return {std::move(name), kind, std::move(text), {}, false, {"x.toml", 7}};
}

// What a consumer group protocol declares, cut down to two options and their bounds.
inline std::vector<muster_option> consumer_options() {
  std::vector<muster_option> options{
      host_option("group.consumer.session.timeout.ms", MUSTER_OPTION_INT64, "45000"),
      host_option("group.consumer.min.session.timeout.ms", MUSTER_OPTION_INT64, "45000"),
      host_option("group.consumer.max.session.timeout.ms", MUSTER_OPTION_INT64, "60000"),
      host_option("group.consumer.heartbeat.interval.ms", MUSTER_OPTION_INT64, "5000"),
      group_option("consumer.session.timeout.ms", "group.consumer.session.timeout.ms"),
      group_option("consumer.heartbeat.interval.ms", "group.consumer.heartbeat.interval.ms"),
  };
  options[0].above = "group.consumer.heartbeat.interval.ms";
  options[4].min_of = "group.consumer.min.session.timeout.ms";
  options[4].max_of = "group.consumer.max.session.timeout.ms";
  options[4].above = "consumer.heartbeat.interval.ms";
  return options;
}

}  // namespace muster::host::testing
