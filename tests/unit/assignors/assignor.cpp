// Finds an assignor's table and calls it as a host would. Tests and benches only.
#include "assignor.hpp"

#include <dlfcn.h>
#include <muster/abi/plugin.h>
#include <muster/testing/rig_host.hpp>

#include <cstring>
#include <stdexcept>

#include <muster/sdk/plugin.hpp>

#include "plugin_files.hpp"
#include "range.hpp"
#include "uniform.hpp"

namespace muster::assignors {
namespace {

const void* no_service(void*, muster_str) { return nullptr; }

constexpr muster_host host = {
    sizeof(muster_host), MUSTER_ABI_MAJOR, MUSTER_ABI_MINOR, "test", nullptr, no_service};

void throw_message(void* self, muster_str message) {
  static_cast<std::string*>(self)->assign(message.data, message.size);
}

// Libraries stay open, as they do in a host.
const muster_plugin& load(const std::string& name) {
  void* const library = dlopen(plugin_file(name).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  void* const symbol = dlsym(library, MUSTER_PLUGIN_ENTRY_NAME);
  if (symbol == nullptr) throw std::runtime_error(dlerror());
  muster_plugin_entry_fn entry;
  std::memcpy(&entry, &symbol, sizeof entry);
  const muster_plugin* const plugin = entry(MUSTER_ABI_MAJOR);
  if (plugin->id != "org.muster.assignor." + name || plugin->export_count != 1 ||
      plugin->exports[0].name != name ||
      plugin->exports[0].interface_id != std::string(MUSTER_IFACE_PARTITION_ASSIGNOR)) {
    throw std::runtime_error(name + " is not what its library offers");
  }
  return *plugin;
}

constexpr muster_export linked_range = MUSTER_PARTITION_ASSIGNOR(range::RangeAssignor, "range");
constexpr muster_export linked_uniform =
    MUSTER_PARTITION_ASSIGNOR(uniform::UniformAssignor, "uniform");

const muster_export& find_export(const std::string& name, Linked linked) {
  if (linked == Linked::as_library) return load(name).exports[0];
  return name == "range" ? linked_range : linked_uniform;
}

struct Result {
  Owners owners;
  std::string wrong;
};

void take(void* self, std::uint32_t first, std::uint32_t count, const std::uint32_t* members) {
  auto& result = *static_cast<Result*>(self);
  if (first + std::uint64_t{count} > result.owners.size()) {
    result.wrong = "partitions that are not there";
    return;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t& owner = result.owners[first + i];
    if (owner != MUSTER_NONE) result.wrong = "a partition named twice";
    if (members[i] == MUSTER_NONE) result.wrong = "nobody named as owner";
    owner = members[i];
  }
}

}  // namespace

const muster_plugin& plugin_of(const std::string& name) { return load(name); }

Assignor::Assignor(const std::string& name, Linked linked, const Settings& settings)
    : Assignor(find_export(name, linked), settings) {}

Assignor::Assignor(const muster_export& exported, const Settings& settings)
    : table_(static_cast<const muster_partition_assignor_v1*>(exported.table)) {
  const auto options = std::make_shared<testing::RigOptions>(exported);
  for (const auto& [option, value] : settings) options->set(option, value);
  options_ = {options, options->table()};
  std::string message;
  const muster_error_sink errors = {sizeof errors, &message, throw_message};
  instance_ = {table_->create(&host, options_.get(), &errors), table_->destroy};
  if (instance_ == nullptr) throw std::runtime_error(message);
}

muster_code Assignor::assign(const muster_partition_assignor_view& view,
                             const muster_partition_sink& out) const {
  std::string message;
  const muster_error_sink errors = {sizeof errors, &message, throw_message};
  return table_->assign(instance_.get(), &view, &out, &errors);
}

Owners Assignor::assign(const Group& group) const {
  const GroupView view(group);
  Result result{Owners(group.partition_count(), MUSTER_NONE), {}};
  const muster_partition_sink out = {sizeof out, &result, take};
  const muster_code code = assign(view.table(), out);
  if (code != MUSTER_OK) throw std::runtime_error("code " + std::to_string(code));
  if (!result.wrong.empty()) throw std::runtime_error(result.wrong);
  return std::move(result.owners);
}

}  // namespace muster::assignors
