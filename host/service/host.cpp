#include "service/host.hpp"

#include "config/local_socket.hpp"
#include "dispatch/api_versions.hpp"
#include "dispatch/find_coordinator.hpp"
#include "dispatch/mirror_topics.hpp"
#include "net/io_pool.hpp"
#include "observe/admin_server.hpp"
#include "service/host_observer.hpp"
#include "service/instances.hpp"

#include <chrono>
#include <future>
#include <thread>

namespace muster::host {
namespace {

// Kafka's key types of FindCoordinator and the topics behind them.
constexpr std::int8_t group_key = 0;
constexpr std::int8_t transaction_key = 1;
constexpr const char* groups_topic = "__consumer_offsets";
constexpr const char* transactions_topic = "__transaction_state";

constexpr std::int64_t drain_step_ms = 5;

LogSettings log_settings(const HostConfig& config) {
  LogSettings settings;
  settings.least = static_cast<Severity>(config.log_level);
  settings.json = config.log_format == LogFormat::json;
  return settings;
}

}  // namespace

struct Host::Impl {
  Impl(HostConfig its_config, Composition its_composition)
      : config(std::move(its_config)),
        log(log_settings(config)),
        observer(log, metrics),
        data_folder(config.data_dir),
        pool(config.threads, config.workers, clock),
        services({&clock, &log, &metrics, &metadata, config.node_id,
                  [this](std::string_view space, std::uint32_t shard) {
                    return shard_owner(space, shard);
                  },
                  &data_folder}),
        composition(std::move(its_composition)) {}

  std::string start();
  std::string create_plugins();
  void make_dispatcher();
  Space& add_space(const char* name, const char* topic, const ProtocolSet& protocols);
  std::string listen();
  void listen_locally();
  std::string start_admin();
  std::string not_ready() const;
  std::string metrics_text();
  std::pair<std::string, std::uint64_t> shard_owner(std::string_view space, std::uint32_t shard);
  void drain(std::int64_t deadline_ms);
  void stop();

  HostConfig config;
  SystemClock clock;
  Log log;
  Metrics metrics;
  HostObserver observer;
  DataFolder data_folder;
  IoPool pool;
  Metadata metadata;
  Services services;
  std::atomic<std::uint64_t> request_ids{0};
  Composition composition;
  std::unique_ptr<Instances> instances;
  std::vector<std::unique_ptr<Space>> spaces;
  std::unique_ptr<ApiVersions> api_versions;
  std::unique_ptr<FindCoordinator> find_coordinator;
  std::unique_ptr<Dispatcher> dispatcher;
  std::unique_ptr<MirrorTopics> mirror;
  std::unique_ptr<Server> server;
  std::unique_ptr<AdminServer> admin;
  std::atomic<bool> draining{false};
};

Host::Host(HostConfig config, Composition composition)
    : impl_(std::make_unique<Impl>(std::move(config), std::move(composition))) {}

Host::~Host() {
  if (impl_) impl_->stop();
}

std::string Host::start() { return impl_->start(); }
std::uint16_t Host::port() const { return impl_->server->bound(0); }
std::uint16_t Host::admin_port() const { return impl_->admin ? impl_->admin->port() : 0; }
void Host::drain(std::int64_t deadline_ms) { impl_->drain(deadline_ms); }

bool Host::stop(std::int64_t deadline_ms) {
  const auto stopped = std::make_shared<std::promise<void>>();
  std::thread([impl = impl_.get(), stopped] {
    impl->stop();
    stopped->set_value();
  }).detach();
  if (stopped->get_future().wait_for(std::chrono::milliseconds(deadline_ms)) ==
      std::future_status::ready) {
    return true;
  }
  impl_->log.warn("host", "a plugin is still at work; the process ends without it",
                  {{"waited_ms", deadline_ms}});
  (void)impl_.release();  // whoever is inside needs it
  return false;
}

std::string Host::Impl::start() {
  if (auto why = create_plugins(); !why.empty()) return why;
  make_dispatcher();
  struct Kind {
    const ProtocolSet& protocols;
    const char* space;
    const char* topic;
  };
  for (const Kind& kind : {Kind{instances->groups(), "groups", groups_topic},
                           Kind{instances->transactions(), "transactions", transactions_topic}}) {
    if (kind.protocols.size() == 0) continue;
    Space& space = add_space(kind.space, kind.topic, kind.protocols);
    if (auto why = dispatcher->add_space(space); !why.empty()) return why;
  }
  if (auto why = dispatcher->finish(); !why.empty()) return why;
  if (auto why = listen(); !why.empty()) return why;

  metadata.on_change([this](const std::shared_ptr<const MetadataChange>& change) {
    dispatcher->metadata_changed(*change->snapshot);
    for (const auto& space : spaces) space->metadata_changed(change);
  });
  const Broker& broker = instances->broker();
  if (broker.table->watch(broker.self, metadata.events()) != MUSTER_OK) {
    return "the broker '" + broker.name + "' does not tell its topics";
  }
  pool.on_pause([this](std::int64_t ms) {
    log.warn("net", "the process was stopped; sessions are extended", {{"ms", ms}});
    for (const auto& space : spaces) {
      for (std::uint32_t i = 0; i < space->size(); ++i) space->shard(i).paused(ms);
    }
  });
  pool.start();
  for (const auto& space : spaces) {
    if (auto why = space->open(); !why.empty()) return why;
  }
  if (auto why = start_admin(); !why.empty()) return why;
  server->accept();
  for (std::size_t i = 0; i < config.listeners.size(); ++i) {
    const ListenerConfig& listener = config.listeners[i];
    log.info(
        "host", "listening",
        {{"listener", listener.name}, {"host", listener.bind.host}, {"port", server->bound(i)}});
  }
  return {};
}

std::string Host::Impl::create_plugins() {
  for (const PluginStatus& status : composition.registry->statuses()) {
    if (status.state != LoadState::refused) continue;
    log.warn("host", "an optional plugin is left out",
             {{"plugin", status.definition}, {"why", status.why}});
  }
  instances = std::make_unique<Instances>(*composition.registry, *composition.options, services,
                                          config.node_id);
  if (config.check_border) instances->check_border(observer, clock);
  std::string why = instances->create();
  // What the plugin says of it is only that there is no folder.
  return why.empty() || data_folder.fault().empty() ? why : data_folder.fault();
}

void Host::Impl::make_dispatcher() {
  const Broker& broker = instances->broker();
  BytesCollector cluster_id;
  if (offers(broker.table, &muster_broker_v1::cluster_id)) {
    broker.table->cluster_id(broker.self, cluster_id.sink());
  }
  api_versions = std::make_unique<ApiVersions>(composition.options->features(), cluster_id.text(),
                                               config.node_id);
  FindCoordinator::Parts find;
  if (instances->groups().size() != 0) {
    find.kinds.push_back({group_key, "groups", groups_topic, config.shard_count});
  }
  if (instances->transactions().size() != 0) {
    find.kinds.push_back({transaction_key, "transactions", transactions_topic, config.shard_count});
  }
  find.metadata = &metadata;
  find.node = services.node();
  find.authorize = services.authorize();
  find_coordinator = std::make_unique<FindCoordinator>(std::move(find));
  dispatcher = std::make_unique<Dispatcher>(
      DispatcherParts{broker, &metadata, &request_ids, api_versions.get(), find_coordinator.get(),
                      [this](std::uint64_t connection) { server->close_connection(connection); }});
  find_coordinator->set_caller(*dispatcher);
  if (composition.options->boolean("internal.topics.mirror")) {
    mirror = std::make_unique<MirrorTopics>(
        MirrorTopics::Parts{dispatcher.get(), &pool, &clock, &metadata, &observer});
  }
}

Space& Host::Impl::add_space(const char* name, const char* topic, const ProtocolSet& protocols) {
  SpaceContext context;
  context.name = name;
  context.internal_topic = topic;
  context.mirror = mirror.get();
  context.shard_count = config.shard_count;
  context.protocols = &protocols;
  context.store = instances->store().table;
  context.store_self = instances->store().self;
  context.clock = &clock;
  context.executor = &pool;
  context.caller = dispatcher.get();
  context.observer = &observer;
  context.metadata = &metadata;
  context.assignors = &instances->assignors();
  context.request_ids = &request_ids;
  context.limits.uncommitted_bytes = config.limits.shard_uncommitted_bytes;
  context.limits.uncommitted_ms = config.limits.shard_uncommitted_ms;
  context.limits.assignor_deadline_ms = config.assignor_deadline_ms;
  return *spaces.emplace_back(std::make_unique<Space>(std::move(context)));
}

std::string Host::Impl::listen() {
  server = std::make_unique<Server>(
      ServerParts{&pool, dispatcher.get(), &observer, &clock, &request_ids, config.limits});
  std::vector<NodeAddress> addresses;
  for (std::size_t i = 0; i < config.listeners.size(); ++i) {
    const ListenerConfig& listener = config.listeners[i];
    if (auto why = server->bind(listener); !why.empty()) return why;
    const Address& advertised = listener.advertised;
    addresses.push_back({listener.name,
                         advertised.host.empty() ? listener.bind.host : advertised.host,
                         advertised.port == 0 ? server->bound(i) : advertised.port});
  }
  services.set_addresses(std::move(addresses));
  listen_locally();
  return {};
}

// A host without it serves as well: only its commands need --server.
void Host::Impl::listen_locally() {
  const std::filesystem::path path = local_socket_in(config.data_dir);
  // Whoever holds the folder may clear the socket of a host that is gone away; nobody else.
  std::string why = data_folder.claim();
  if (why.empty()) why = server->bind_local(path, config.listeners.front().name);
  if (why.empty()) {
    log.info("host", "listening", {{"socket", path.string()}});
  } else {
    log.warn("host", "no local socket: `muster topic` and `muster group` need --server",
             {{"why", why}});
  }
}

std::string Host::Impl::not_ready() const {
  if (draining) return "shutting down";
  for (const auto& space : spaces) {
    const std::uint32_t active = space->active();
    if (active == space->size()) continue;
    return std::to_string(space->size() - active) + " of " + std::to_string(space->size()) +
           " shards of '" + space->context().name + "' are not loaded";
  }
  return {};
}

// What is only known by looking is looked at when it is asked for.
std::string Host::Impl::metrics_text() {
  metrics.gauge({"muster_in_flight_bytes", "Bytes of requests that are not answered yet"})
      .set(static_cast<double>(server->in_flight_bytes()));
  metrics.gauge({"muster_workers_written_off", "Workers that are past their deadline right now"})
      .set(static_cast<double>(pool.workers_written_off()));
  for (const auto& space : spaces) {
    const std::string labels = "space=" + space->context().name;
    metrics.gauge({"muster_shards_active", "Shards that are loaded and serve", labels})
        .set(space->active());
    metrics
        .gauge({"muster_shards_stalled", "Shards that wait for uncommitted batches before more",
                labels})
        .set(space->stalled());
    metrics
        .gauge({"muster_offloads_waiting", "Offloads that wait for the running one of their key",
                labels})
        .set(space->offloads_waiting());
  }
  return metrics.text();
}

std::string Host::Impl::start_admin() {
  if (!config.admin) return {};
  auto started =
      AdminServer::start(config.admin->host, config.admin->port,
                         {[this] { return not_ready(); }, [this] { return metrics_text(); },
                          [this] { return composition.registry->statuses_json(); }});
  if (!started) return started.error();
  admin = std::move(*started);
  return {};
}

std::pair<std::string, std::uint64_t> Host::Impl::shard_owner(std::string_view space,
                                                              std::uint32_t shard) {
  const BoundStore& store = instances->store();
  BytesCollector elsewhere;
  if (offers(store.table, &muster_store_v1::owner)) {
    store.table->owner(store.self, to_abi(space), shard, elsewhere.sink());
  }
  std::uint64_t epoch = 0;
  for (const auto& own : spaces) {
    if (own->context().name == space && shard < own->size()) epoch = own->shard(shard).epoch();
  }
  return {elsewhere.text(), epoch};
}

void Host::Impl::drain(std::int64_t deadline_ms) {
  draining = true;
  log.info("host", "shutting down", {{"connections", server->connections()}});
  const std::int64_t until = clock.monotonic_ms() + deadline_ms;
  server->drain();
  for (const auto& space : spaces) {
    for (std::uint32_t i = 0; i < space->size(); ++i) space->shard(i).drain();
  }
  while (server->connections() != 0 && clock.monotonic_ms() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(drain_step_ms));
  }
  const std::size_t left = server->connections();
  if (left != 0) log.warn("host", "connections are cut off", {{"connections", left}});
}

void Host::Impl::stop() {
  admin.reset();
  pool.stop();
  server.reset();
  spaces.clear();
  instances.reset();
}

}  // namespace muster::host
