// An assignor with every field that an option can have.
#pragma once

#include <muster/sdk/partition_assignor.hpp>

namespace every_kind {

class Assignor {
 public:
  static constexpr muster_option options[] = {
      muster::sdk::int_option("every.wait.ms")
          .by_default("45000")
          .range("1", "60000")
          .above("every.pause.ms")
          .doc("says \"how long\"\tand C:\\where")
          .since("1.0.0"),
      muster::sdk::long_option("every.pause.ms").by_default("0").internal(),
      muster::sdk::int_option("every.group.wait.ms")
          .per_group()
          .default_of("every.wait.ms")
          .bounds_of("every.pause.ms", "every.wait.ms"),
      muster::sdk::bool_option("every.flag").by_default("false"),
      muster::sdk::double_option("every.share").by_default("0.5").range("0", "1"),
      muster::sdk::string_option("every.mode").by_default("a").one_of("a,b"),
      muster::sdk::list_option("every.others").names(MUSTER_IFACE_PARTITION_ASSIGNOR),
  };

  explicit Assignor(const muster::sdk::Host& host) : host_(host) {}
  void assign(const muster::sdk::PartitionView& view, muster::sdk::PartitionSink& out) const;

 private:
  muster::sdk::Host host_;
};

}  // namespace every_kind
