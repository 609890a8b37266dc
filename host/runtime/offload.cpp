#include "runtime/offload.hpp"

#include "runtime/guarded.hpp"

namespace muster::host {

TaskInput::TaskInput() {
  sink_.struct_size = sizeof sink_;
  sink_.self = this;
  sink_.bytes = [](void* self, muster_bytes input) {
    auto& bytes = static_cast<TaskInput*>(self)->bytes_;
    bytes.insert(bytes.end(), input.data, input.data + input.size);
  };
  sink_.partitions = [](void* self, const muster_partition_assignor_view* view) {
    static_cast<TaskInput*>(self)->partitions_ = std::make_unique<AssignorInput>(*view);
  };
}

void OffloadJob::run() {
  take();
  assignor != nullptr ? run_assignor() : run_work();
  done(shared_from_this());
}

std::shared_ptr<OffloadJob> OffloadJob::stand_in() const {
  auto failed = std::make_shared<OffloadJob>();
  failed->life = life;
  failed->id = id;
  failed->plugin = plugin;
  failed->key = key;
  failed->epoch = epoch;
  failed->kind = kind;
  failed->protocol = protocol;
  failed->assignor = assignor;
  if (started()) failed->take();
  failed->outcome = MUSTER_UNAVAILABLE;
  failed->why = failed->started() ? "it did not finish in time" : "no worker was free in time";
  return failed;
}

void OffloadJob::run_work() {
  BytesCollector collector;
  ErrorText error;
  outcome = guarded(error.sink(), [&] {
    return protocol->table->work(protocol->self, to_abi(std::string_view(kind)),
                                 to_abi(Bytes(input.bytes())), collector.sink(), error.sink());
  });
  bytes_ = std::move(collector.buffer());
  why = error.text();
}

namespace {

struct OwnerSink {
  std::vector<std::uint32_t>& owner;
  bool in_range = true;
  bool twice = false;

  static void assign(void* self, std::uint32_t first, std::uint32_t count,
                     const std::uint32_t* members) {
    auto& sink = *static_cast<OwnerSink*>(self);
    if (first > sink.owner.size() || count > sink.owner.size() - first) {
      sink.in_range = false;
      return;
    }
    for (std::uint32_t i = 0; i < count; ++i) {
      if (members[i] == MUSTER_NONE) continue;
      if (sink.owner[first + i] != MUSTER_NONE) sink.twice = true;
      sink.owner[first + i] = members[i];
    }
  }
};

}  // namespace

void OffloadJob::run_assignor() {
  const auto* table = static_cast<const muster_partition_assignor_v1*>(assignor->table);
  const muster_partition_assignor_view& view = input.partitions()->view();
  owner_.assign(input.partitions()->partitions(), MUSTER_NONE);
  OwnerSink owners{owner_};
  const muster_partition_sink sink{sizeof sink, &owners, &OwnerSink::assign};
  ErrorText error;
  outcome = guarded(error.sink(),
                    [&] { return table->assign(assignor->self, &view, &sink, error.sink()); });
  why = error.text();
  if (outcome != MUSTER_OK) return;
  if (!owners.in_range) {
    why = "it named a partition that does not exist";
  } else if (owners.twice) {
    why = "it gave a partition to two members";
  } else if (auto wrong = check_assignment(view, owner_)) {
    why = *wrong;
  } else {
    assignment_ = {sizeof assignment_, &view, owner_.data()};
    return;
  }
  outcome = MUSTER_INTERNAL;
}

muster_bytes OffloadJob::result() const {
  if (outcome != MUSTER_OK) return {nullptr, 0};
  if (assignor == nullptr) return to_abi(Bytes(bytes_));
  return {reinterpret_cast<const std::uint8_t*>(&assignment_), sizeof assignment_};
}

}  // namespace muster::host
