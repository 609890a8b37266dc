#include "requests.hpp"

namespace muster::classic {

Join::Join() = default;
Join::Join(const Join&) = default;
Join& Join::operator=(const Join&) = default;
Join::~Join() = default;
Sync::Sync() = default;
Sync::Sync(const Sync&) = default;
Sync& Sync::operator=(const Sync&) = default;
Sync::~Sync() = default;

namespace {

template <class Request, class Value>
Request with(Request request, Value Request::* field, Value value) {
  request.*field = std::move(value);
  return request;
}

}  // namespace

Join Join::as(std::string_view alias) const {
  return with(*this, &Join::member, std::string(alias));
}
Join Join::with_instance(std::string_view id) const {
  return with(*this, &Join::instance, std::optional(std::string(id)));
}
Join Join::offering(Offers protocols) const {
  return with(*this, &Join::offers, std::move(protocols));
}
Join Join::of_type(std::string_view name) const {
  return with(*this, &Join::type, std::string(name));
}
Join Join::with_session(std::int32_t ms) const {
  return with(*this, &Join::session_timeout_ms, ms);
}
Join Join::with_rebalance(std::int32_t ms) const {
  return with(*this, &Join::rebalance_timeout_ms, ms);
}
Join Join::at(std::int16_t number) const { return with(*this, &Join::version, number); }
Join Join::in(std::string_view id) const { return with(*this, &Join::group, std::string(id)); }
Join Join::owned_by(std::string_view name) const {
  return with(*this, &Join::owner, std::string(name));
}

Join by(std::string_view client) {
  Join join;
  join.client = client;
  return join;
}

Join back(std::string_view alias) {
  return by(alias.substr(0, alias.find_first_of("0123456789"))).as(alias);
}

Sync Sync::with_instance(std::string_view id) const {
  return with(*this, &Sync::instance, std::optional(std::string(id)));
}
Sync Sync::at(std::int16_t number) const {
  Sync out = with(*this, &Sync::version, number);
  if (number < 5) {
    out.type.reset();
    out.protocol.reset();
  }
  return out;
}

Sync syncs(std::string_view member, std::int32_t generation, Shares shares) {
  Sync sync;
  sync.member = member;
  sync.generation = generation;
  sync.shares = std::move(shares);
  return sync;
}

}  // namespace muster::classic
