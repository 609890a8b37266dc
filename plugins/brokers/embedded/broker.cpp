// See broker.hpp.
#include "broker.hpp"

#include <algorithm>

namespace muster::embedded {
namespace {

constexpr std::size_t key_end = [] {
  std::int16_t most = 0;
  for (const Api& api : api_table) most = std::max(most, api.claim.key);
  return static_cast<std::size_t>(most) + 1;
}();

// By API key.
constexpr auto handlers = [] {
  std::array<decltype(Api::handle), key_end> all{};
  for (const Api& api : api_table) all[static_cast<std::size_t>(api.claim.key)] = api.handle;
  return all;
}();

}  // namespace

void Broker::handle(const sdk::Request& request, sdk::Answer answer) {
  const auto key = static_cast<std::size_t>(request.api_key());
  if (key >= handlers.size() || handlers[key] == nullptr) return answer.close();
  handlers[key](core_, request, answer);
}

}  // namespace muster::embedded
