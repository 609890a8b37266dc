// Loading a shard: replay on the pool into a new life, then the fix-ups in the shard's turn.
#include "runtime/shard.hpp"

namespace muster::host {
namespace {

class LoadJob : public Job {
 public:
  using Done = std::function<void(std::shared_ptr<Life>, LoadResult)>;

  LoadJob(std::shared_ptr<Life> life, Done done) : life_(std::move(life)), done_(std::move(done)) {}

  void run() override {
    LoadResult result = life_->load();
    done_(std::move(life_), std::move(result));
  }

 private:
  std::shared_ptr<Life> life_;
  Done done_;
};

}  // namespace

void Shard::start_load() {
  if (life_) close_life(Error::coordinator_load_in_progress, "the group's shard is loading");
  state_ = State::loading;
  reload_at_ = no_deadline;
  auto life = std::make_shared<Life>(space_, index_, ++life_number_, epoch_);
  space_.executor->run(std::make_shared<LoadJob>(
      std::move(life), [this](std::shared_ptr<Life> done, LoadResult result) {
        enqueue(Lane::urgent, [this, kept = std::move(done), how = std::move(result)]() mutable {
          loaded(std::move(kept), how);
        });
      }));
}

namespace {

// Names the types, so that who knows their plugin sees what is missing.
std::string about_unknown(const Life& life) {
  std::string types;
  for (const std::int16_t type : life.unknown_types) {
    types += (types.empty() ? " (" : ", ") + std::to_string(type);
  }
  return "keeps " + std::to_string(life.unknown_records) + " records of types" +
         (types.empty() ? "" : types + ")") + " that no loaded plugin claims";
}

}  // namespace

void Shard::loaded(std::shared_ptr<Life> life, const LoadResult& result) {
  if (life->number != life_number_ || state_ != State::loading) return;
  life_ = std::move(life);
  if (result.code != MUSTER_OK) {
    fail(result.code, result.why);
    return;
  }
  if (life_->unknown_records != 0) {
    space_.observer->log(MUSTER_LOG_WARN, "shard " + space_.name + "/" + std::to_string(index_) +
                                              " " + about_unknown(*life_));
  }
  life_->snapshot = space_.metadata->current();
  for (std::size_t i = 0; i < life_->protocols.size(); ++i) {
    ProtocolShard& by = *life_->protocols[i];
    if (!offers(by.protocol.table, &muster_group_protocol_v1::on_loaded)) continue;
    const bool good = run_slot(
        by, "on_loaded", [&](const muster_decision* decision, const muster_error_sink* error) {
          return by.protocol.table->on_loaded(by.object, decision, error);
        });
    if (good) continue;
    fail(MUSTER_INTERNAL, "a protocol could not finish loading");
    return;
  }
  if (!life_) return;
  reload_after_ms_ = 0;
  State expected = State::loading;
  state_.compare_exchange_strong(expected, State::active);
}

Buffer Shard::digest(std::int32_t part) {
  BytesCollector out;
  if (!life_) return {};
  for (const auto& by : life_->protocols) {
    if (!offers(by->protocol.table, &muster_group_protocol_v1::digest)) continue;
    by->protocol.table->digest(by->object, part, out.sink());
  }
  return std::move(out.buffer());
}

}  // namespace muster::host
