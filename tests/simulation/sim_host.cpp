// The wiring of host/service without its threads.
#include "sim_host.hpp"

#include "runtime/shard_of.hpp"

#include <stdexcept>

#include "plugin_files.hpp"

namespace muster::simulation {
namespace {

constexpr const char* internal_topic = "__consumer_offsets";

void write_text(const muster_bytes_sink* sink, std::string_view text) {
  sink->bytes(sink->self, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

void require(const std::string& why) {
  if (!why.empty()) throw std::logic_error(why);
}

host::ConfiguredValue number(const std::string& name, std::int64_t value) {
  host::ConfiguredValue out;
  out.name = name;
  out.kind = host::ValueKind::integer;
  out.text = std::to_string(value);
  return out;
}

}  // namespace

class SimHost::Observer : public host::Observer {
 public:
  explicit Observer(Trace& trace) : trace_(trace) {}

  // Assignors misbehave on purpose here; nothing else may.
  void misbehaved(std::string_view plugin, std::string_view slot, std::string_view why) override {
    const std::string what =
        std::string(plugin) + " " + std::string(slot) + ": " + std::string(why);
    if (slot.starts_with(MUSTER_IFACE_PARTITION_ASSIGNOR)) {
      trace_.add("misbehaved: " + what);
    } else {
      trace_.violated("a plugin misbehaved: " + what);
    }
  }
  void log(int, std::string_view message) override { trace_.add("log: " + std::string(message)); }

 private:
  Trace& trace_;
};

// The services that plugins see; random bytes come from the seed.
struct SimHost::Services {
  explicit Services(SimHost& its_owner) : owner(its_owner) {
    host.struct_size = sizeof host;
    host.abi_major = MUSTER_ABI_MAJOR;
    host.abi_minor = MUSTER_ABI_MINOR;
    host.version = "simulated";
    host.self = this;
    host.get_service = [](void* self, muster_str id) {
      return static_cast<Services*>(self)->find({id.data, id.size});
    };
    clock = {sizeof clock, this, [](void* self) { return of(self).clock.wall_ms(); },
             [](void* self) { return of(self).clock.monotonic_ms() * 1000; }};
    random = {sizeof random, this, [](void* self, std::uint8_t* out, std::size_t size) {
                for (std::size_t i = 0; i < size; ++i) {
                  out[i] = static_cast<std::uint8_t>(of(self).random_.next());
                }
              }};
    log = {sizeof log, this,
           [](void* self, std::int32_t, muster_str message) {
             of(self).trace.add("plugin: " + std::string(message.data, message.size));
           },
           [](void*, std::int32_t) { return 1; }};
    authorize = {
        sizeof authorize, this,
        [](void*, muster_str, muster_str, std::int32_t, std::int32_t, muster_str) { return 1; }};
    set_node();
  }

  void set_node() {
    node.struct_size = sizeof node;
    node.self = this;
    node.node_id = [](void*) { return 0; };
    node.advertised = [](void*, muster_str, const muster_bytes_sink* name, std::int32_t* port) {
      write_text(name, "here");
      *port = 9092;
      return muster_code{MUSTER_OK};
    };
    node.owner = [](void* self, muster_str, std::uint32_t shard, const muster_bytes_sink* name,
                    std::int32_t* port, std::uint64_t* epoch) {
      write_text(name, of(self).store.owns(shard) ? "here" : "elsewhere");
      *port = 9092;
      *epoch = of(self).space().shard(shard).epoch();
      return muster_code{MUSTER_OK};
    };
    node.data_folder = [](void*, const muster_bytes_sink*) -> muster_code {
      return MUSTER_UNAVAILABLE;
    };
  }

  static SimHost& of(void* self) { return static_cast<Services*>(self)->owner; }

  const void* find(std::string_view id) const {
    if (id == MUSTER_SERVICE_LOG) return &log;
    if (id == MUSTER_SERVICE_CLOCK) return &clock;
    if (id == MUSTER_SERVICE_RANDOM) return &random;
    if (id == MUSTER_SERVICE_AUTHORIZE) return &authorize;
    if (id == MUSTER_SERVICE_NODE) return &node;
    if (id == MUSTER_SERVICE_METADATA) return owner.metadata.service();
    if (id == MUSTER_SERVICE_HOST_OPTIONS) return &owner.options_service_;
    return nullptr;
  }

  SimHost& owner;
  muster_host host{};
  muster_clock_v1 clock{};
  muster_random_v1 random{};
  muster_log_v1 log{};
  muster_authorize_v1 authorize{};
  muster_node_v1 node{};
};

SimHost::SimHost(const SimSettings& settings) : random_(~settings.seed) {
  services_ = std::make_unique<Services>(*this);
  observer_ = std::make_unique<Observer>(trace);
  build_options(settings);
  create_assignors();
  create_protocols();
  build_space(settings);
  muster_topic topic{};
  topic.struct_size = sizeof topic;
  topic.name = host::to_abi(std::string_view(internal_topic));
  topic.id.bytes[0] = 0xFF;
  topic.partition_count = settings.shards;
  topic.internal = 1;
  tell(&topic, {topic.name, topic.id, MUSTER_TOPIC_CREATED});
  require(space_->open());
  settle();
}

// What is in flight points into the plugins' objects.
SimHost::~SimHost() {
  executor.jobs.clear();
  executor.hung.clear();
  executor.posted.clear();
  for (std::uint32_t shard = 0; shard < store.shards(); ++shard) {
    while (store.has_waiting(shard)) store.fail(shard, false);
  }
  executor.jobs.clear();
  executor.posted.clear();
  space_.reset();
  for (auto destroy = destroy_.rbegin(); destroy != destroy_.rend(); ++destroy) (*destroy)();
}

void SimHost::build_options(const SimSettings& settings) {
  host::OptionsInput input;
  for (const char* name : {"classic", "consumer", "offsets", "range", "uniform"}) {
    input.declarers.push_back({name, {&built_plugin(name)}});
  }
  input.values = {number("assignor.wait.ms", settings.assignor_wait_ms),
                  number("group.consumer.assignment.interval.ms", settings.assignment_interval_ms),
                  number("group.initial.rebalance.delay.ms", settings.initial_delay_ms),
                  // A sweep deletes empty groups, whose epochs then start anew.
                  number("offsets.retention.check.interval.ms", 86'400'000)};
  auto built = host::Options::build(input);
  if (!built) throw std::logic_error(built.error().to_string());
  options_ = std::move(*built);
  options_service_ = {sizeof options_service_, options_.get(), 0};
}

void SimHost::create_assignors() {
  for (const char* name : {"uniform", "range"}) {
    const auto* table = static_cast<const muster_partition_assignor_v1*>(built_plugin(name).table);
    host::ErrorText error;
    void* const self = table->create(&services_->host, options_->table_for(name), error.sink());
    require(error.text());
    destroy_.push_back([table, self] { table->destroy(self); });
    auto& wrapped = assignors_[name];
    wrapped = std::make_unique<FaultyAssignor>(*table, self);
    assignor_set_.add(MUSTER_IFACE_PARTITION_ASSIGNOR, name, wrapped->table(), wrapped.get());
  }
}

void SimHost::create_protocols() {
  const auto add = [this](const std::string& name, const muster_group_protocol_v1* table,
                          const muster_options* options) {
    host::ErrorText error;
    void* const self = table->create(&services_->host, options, error.sink());
    require(error.text());
    destroy_.push_back([table, self] { table->destroy(self); });
    require(protocols_.add({name, table, self}));
  };
  add("host", host::config_protocol(), nullptr);
  for (const char* name : {"classic", "consumer", "offsets"}) {
    add(name, static_cast<const muster_group_protocol_v1*>(built_plugin(name).table),
        options_->table_for(name));
  }
}

void SimHost::build_space(const SimSettings& settings) {
  api_versions_ = std::make_unique<host::ApiVersions>(options_->features(), "sim", 0);
  host::FindCoordinator::Parts find;
  find.kinds = {{0, "groups", internal_topic, settings.shards}};
  find.metadata = &metadata;
  find.node = &services_->node;
  find.authorize = &services_->authorize;
  find_coordinator_ = std::make_unique<host::FindCoordinator>(std::move(find));
  dispatcher_ = std::make_unique<host::Dispatcher>(host::DispatcherParts{
      {},
      &metadata,
      &request_ids,
      api_versions_.get(),
      find_coordinator_.get(),
      [this](std::uint64_t) { trace.violated("the host closed a connection"); }});
  find_coordinator_->set_caller(*dispatcher_);

  host::SpaceContext context;
  context.name = "groups";
  context.internal_topic = internal_topic;
  context.shard_count = settings.shards;
  context.protocols = &protocols_;
  context.store = store.table();
  context.store_self = &store;
  context.clock = &clock;
  context.executor = &executor;
  context.caller = dispatcher_.get();
  context.observer = observer_.get();
  context.metadata = &metadata;
  context.assignors = &assignor_set_;
  context.request_ids = &request_ids;
  space_ = std::make_unique<host::Space>(std::move(context));
  require(dispatcher_->add_space(*space_));
  require(dispatcher_->finish());
  metadata.on_change([this](const std::shared_ptr<const host::MetadataChange>& change) {
    dispatcher_->metadata_changed(*change->snapshot);
    space_->metadata_changed(change);
  });
}

std::uint32_t SimHost::shard_of(std::string_view group) const {
  return host::shard_of(group, space_->size());
}

void SimHost::tell(const muster_topic* topic, const muster_topic_change& change) {
  metadata.events()->changed(metadata.events()->self, &topic, &change, 1);
}

void SimHost::settle() {
  for (bool more = true; more;) {
    executor.wake_due(clock.now_ms);
    executor.settle();
    more = false;
    for (std::uint32_t shard = 0; shard < store.shards(); ++shard) {
      for (; store.has_waiting(shard); more = true) store.acknowledge(shard);
    }
  }
}

void SimHost::pass(std::int64_t ms) {
  clock.now_ms += ms;
  executor.wake_due(clock.now_ms);
}

}  // namespace muster::simulation
