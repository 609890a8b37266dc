// The grammar of the command line. The only user of CLI11.
#include "cli/cli.hpp"

#include "cli/commands.hpp"
#include "cli/group_commands.hpp"
#include "cli/topic_commands.hpp"

#include <CLI/CLI.hpp>

#include <iostream>

namespace muster::host {
namespace {

// What the arguments were read into.
struct Arguments {
  std::string config;
  std::vector<std::string> sets;
  std::string plugin_config;
  std::vector<std::string> folders;
  std::string id;
  std::string library;
  bool here = false;
  RemoteScope remote;
  NewTopic new_topic;
  TopicAsked topic;
  GroupFilter filter;

  [[nodiscard]] ConfigSource source() const {
    ConfigSource out;
    if (!config.empty()) out.file = config;
    out.sets = sets;
    return out;
  }
  [[nodiscard]] PluginScope scope() const {
    PluginScope out;
    if (!plugin_config.empty()) out.config = plugin_config;
    out.folders.assign(folders.begin(), folders.end());
    return out;
  }
};

class CommandLine {
 public:
  explicit CommandLine(const CliHooks& hooks)
      : hooks_(hooks),
        streams_{hooks.out == nullptr ? std::cout : *hooks.out,
                 hooks.err == nullptr ? std::cerr : *hooks.err} {
    app_.require_subcommand(1);
    add_serve();
    add_check();
    add_topic();
    add_group();
    add_plugin();
    app_.add_subcommand("version", "Print the version")->callback([this] {
      streams_.out << "muster " << MUSTER_VERSION << "\n";
    });
  }

  int run(int argc, const char* const* argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      const int code = app_.exit(error, streams_.out, streams_.err);
      return code == 0 ? 0 : static_cast<int>(ExitCode::usage);
    }
    return static_cast<int>(result_);
  }

 private:
  void add_serve() {
    CLI::App* serve = app_.add_subcommand("serve", "Run the host until SIGTERM or SIGINT");
    add_source(*serve);
    serve->callback([this] { result_ = serve_command(arguments_.source(), hooks_, streams_); });
  }

  void add_check() {
    CLI::App* check =
        app_.add_subcommand("check", "Say everything that is wrong with a configuration");
    add_source(*check);
    check->callback([this] { result_ = check_command(arguments_.source(), streams_); });
  }

  void add_source(CLI::App& command) {
    command.add_option("CONFIG", arguments_.config, "TOML file; without one, the built-in default");
    command.add_option("--set", arguments_.sets, "NAME=VALUE, as in docs/configuration.md")
        ->allow_extra_args(false);
  }

  void add_topic() {
    CLI::App* topic = app_.add_subcommand("topic", "Topics of a running host");
    topic->require_subcommand(1);
    CLI::App* create = topic->add_subcommand("create", "Make a topic");
    create->add_option("NAME", arguments_.new_topic.name)->required()->option_text(" ");
    create
        ->add_option("--partitions", arguments_.new_topic.partitions,
                     "How many; otherwise num.partitions of the host")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    create
        ->add_option("--replication-factor", arguments_.new_topic.replication_factor,
                     "Otherwise as the host is configured")
        ->check(CLI::PositiveNumber)
        ->option_text("N");
    create
        ->add_option("--config", arguments_.new_topic.configs,
                     "Such as retention.ms=60000; may be given again")
        ->allow_extra_args(false)
        ->option_text("NAME=VALUE");
    add_remote(*create);
    create->callback([this] {
      result_ = create_topic_command(arguments_.remote, arguments_.new_topic, streams_);
    });

    CLI::App* list = topic->add_subcommand("list", "All topics");
    add_remote(*list);
    list->callback([this] { result_ = list_topics_command(arguments_.remote, streams_); });

    CLI::App* describe =
        topic->add_subcommand("describe", "The partitions, offsets and configs of a topic");
    describe->add_option("NAME", arguments_.topic.name)->required()->option_text(" ");
    describe->add_flag("--all-configs", arguments_.topic.all_configs,
                       "Those as well that are not set on the topic");
    add_remote(*describe);
    describe->callback([this] {
      result_ = describe_topic_command(arguments_.remote, arguments_.topic, streams_);
    });

    CLI::App* remove = topic->add_subcommand("delete", "Delete a topic and what is in it");
    remove->add_option("NAME", arguments_.topic.name)->required()->option_text(" ");
    add_remote(*remove);
    remove->callback([this] {
      result_ = delete_topic_command(arguments_.remote, arguments_.topic.name, streams_);
    });
  }

  void add_group() {
    CLI::App* group = app_.add_subcommand("group", "Groups of a running host");
    group->require_subcommand(1);
    CLI::App* list = group->add_subcommand("list", "All groups, or those of a state or type");
    list->add_option("--state", arguments_.filter.states, "Only these, such as Stable or Empty")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->option_text("STATE,...");
    list->add_option("--type", arguments_.filter.types, "Only these, such as consumer or classic")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->option_text("TYPE,...");
    add_remote(*list);
    list->callback(
        [this] { result_ = group_list_command(arguments_.remote, arguments_.filter, streams_); });

    using Command = ExitCode (*)(const RemoteScope&, const std::string&, const Streams&);
    const auto add = [&](const char* name, const char* what, Command command) {
      CLI::App* one = group->add_subcommand(name, what);
      one->add_option("ID", arguments_.id)->required()->option_text(" ");
      add_remote(*one);
      one->callback(
          [this, command] { result_ = command(arguments_.remote, arguments_.id, streams_); });
    };
    add("describe", "The members, assignment, offsets and lag of a group", group_describe_command);
    add("offsets", "Only the offsets and lag of a group", group_offsets_command);
    add("delete", "Delete a group without members, and its offsets", group_delete_command);
  }

  void add_remote(CLI::App& command) {
    RemoteScope& remote = arguments_.remote;
    const auto add = [&](CLI::Option* option, const char* value) {
      return option->option_text(value)->group("Where the host is");
    };
    CLI::Option* server =
        add(command.add_option("--server", remote.server, "As Kafka clients connect to it"),
            "HOST:PORT");
    CLI::Option* folder =
        add(command.add_option("--data-dir", remote.data_dir,
                               "Its data folder, on this machine (default: data)"),
            "FOLDER");
    CLI::Option* file =
        add(command.add_option("--config-file", remote.config_file,
                               "The configuration it runs with, which names its data folder"),
            "FILE");
    add(command.add_option("--timeout", remote.timeout_s, "To wait for an answer (default: 15)")
            ->check(CLI::Range(1, 3600)),
        "SECONDS");
    server->excludes(folder)->excludes(file);
    folder->excludes(file);
    command.add_flag("--json", remote.json, "Print JSON");
  }

  void add_plugin() {
    CLI::App* plugin = app_.add_subcommand("plugin", "What plugins there are and what they offer");
    plugin->require_subcommand(1);
    CLI::App* list = plugin->add_subcommand("list", "All plugins, and their state in a CONFIG");
    add_scope(*list);
    list->callback([this] { result_ = list_command(arguments_.scope(), streams_); });

    CLI::App* describe = plugin->add_subcommand("describe", "One plugin, by its id");
    describe->add_option("ID", arguments_.id)->required();
    add_scope(*describe);
    describe->callback(
        [this] { result_ = describe_command(arguments_.scope(), arguments_.id, streams_); });

    CLI::App* options = plugin->add_subcommand("options", "The options of one plugin, by its id");
    options->add_option("ID", arguments_.id)->required();
    add_scope(*options);
    options->callback(
        [this] { result_ = options_command(arguments_.scope(), arguments_.id, streams_); });

    CLI::App* probe =
        plugin->add_subcommand("probe",
                               "Try a library in a process of its own, and say whether "
                               "it can be used");
    probe->add_option("FILE", arguments_.library)->required();
    // What that process of its own runs; not for people.
    probe->add_flag("--here", arguments_.here)->group("");
    probe->callback(
        [this] { result_ = probe_command(arguments_.library, arguments_.here, streams_); });
  }

  void add_scope(CLI::App& command) {
    command.add_option("--config", arguments_.plugin_config, "Of this configuration");
    command.add_option("--folder", arguments_.folders, "Of these folders")->allow_extra_args(false);
  }

  const CliHooks& hooks_;
  Streams streams_;
  CLI::App app_{"Muster: a Kafka group coordinator composed from plugins", "muster"};
  Arguments arguments_;
  ExitCode result_ = ExitCode::ok;
};

}  // namespace

int run_cli(int argc, const char* const* argv, const CliHooks& hooks) {
  return CommandLine(hooks).run(argc, argv);
}

}  // namespace muster::host
