// The bodies that members are answered with. Pure, any thread.
#pragma once

#include <muster/protocol/errors.hpp>
#include <muster/protocol/types.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

#include "group.hpp"
#include "roster.hpp"

namespace muster::classic {

using protocol::Error;

protocol::Buffer join_error(Error error, std::string_view member_id, std::int16_t version);

// A join that brought the member into a generation.
struct Joined {
  const Header& header;
  std::string_view member_id;
  std::string_view leader;
  const RosterDraft* members = nullptr;  // NULL: the member is not to assign
  bool skip_assignment = false;
};
protocol::Buffer join_answer(const Joined& joined, std::int16_t version);

protocol::Buffer sync_error(Error error, std::int16_t version);
protocol::Buffer sync_answer(const Header& header, protocol::Bytes assignment,
                             std::int16_t version);

protocol::Buffer heartbeat_answer(Error error, std::int16_t version);

protocol::Buffer leave_error(Error error, std::int16_t version);

}  // namespace muster::classic
