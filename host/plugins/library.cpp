// Library: the only user of Boost.DLL.
#include "plugins/library.hpp"

#include "plugins/table_check.hpp"

#define BOOST_DLL_USE_STD_FS
#include <boost/dll/shared_library.hpp>

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace muster::host {
namespace {

namespace dll = boost::dll;

template <class T>
using Result = std::expected<T, std::string>;

// Boost wraps dlopen's own sentence in three layers of brackets.
std::string dlopen_reason(std::string_view what) {
  constexpr std::string_view before = "dlerror system message: ";
  const std::size_t at = what.find(before);
  if (at == std::string_view::npos) return std::string(what);
  what.remove_prefix(at + before.size());
  return std::string(what.substr(0, what.rfind(')')));
}

// The throwing overload is the one that keeps dlopen's reason. What is mapped stays mapped until
// the process ends: code of a plugin may still be queued or running somewhere.
Result<dll::shared_library*> map(const std::filesystem::path& file) {
  try {
    static std::mutex mutex;
    static auto& mapped = *new std::vector<std::unique_ptr<dll::shared_library>>;
    auto library = std::make_unique<dll::shared_library>(
        file, dll::load_mode::rtld_now | dll::load_mode::rtld_local);
    const std::lock_guard lock(mutex);
    return mapped.emplace_back(std::move(library)).get();
  } catch (const std::exception& error) {
    return std::unexpected("it cannot be loaded: " + dlopen_reason(error.what()));
  }
}

Result<const muster_plugin*> ask(muster_plugin_entry_fn entry) {
  try {
    return entry(MUSTER_ABI_MAJOR);
  } catch (const std::exception& error) {
    return std::unexpected(std::string("its entry threw: ") + error.what());
  } catch (...) {
    return std::unexpected("its entry threw");
  }
}

// The entry is pure: it must say the same whenever it is asked.
Result<const muster_plugin*> ask_twice(muster_plugin_entry_fn entry) {
  const auto first = ask(entry);
  if (!first) return first;
  if (*first == nullptr) {
    return std::unexpected("it does not serve a host of border " +
                           std::to_string(MUSTER_ABI_MAJOR) + "." +
                           std::to_string(MUSTER_ABI_MINOR));
  }
  const std::uint32_t size = (*first)->struct_size;
  const std::uint32_t exports = (*first)->export_count;
  const auto second = ask(entry);
  if (!second) return second;
  if (*second != *first || (*second)->struct_size != size || (*second)->export_count != exports) {
    return std::unexpected("its entry is not pure: it gave another answer when it was asked again");
  }
  return first;
}

Result<const muster_plugin*> load_descriptor(const std::filesystem::path& file) {
  const auto library = map(file);
  if (!library) return std::unexpected(library.error());
  if (!(*library)->has(MUSTER_PLUGIN_ENTRY_NAME)) {
    return std::unexpected("it is no plugin: it does not export " MUSTER_PLUGIN_ENTRY_NAME);
  }
  const auto descriptor =
      ask_twice(&(*library)->get<const muster_plugin*(std::uint32_t)>(MUSTER_PLUGIN_ENTRY_NAME));
  if (!descriptor) return descriptor;
  if (auto good = check_descriptor(**descriptor); !good) return std::unexpected(good.error());
  return descriptor;
}

}  // namespace

std::expected<Library, std::string> Library::load(const std::filesystem::path& file) {
  const auto descriptor = load_descriptor(file);
  if (!descriptor) return std::unexpected(file.string() + ": " + descriptor.error());
  return Library(file, *descriptor);
}

}  // namespace muster::host
