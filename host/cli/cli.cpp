// The grammar of the command line. The only user of CLI11.
#include "cli/cli.hpp"

#include "cli/commands.hpp"

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
