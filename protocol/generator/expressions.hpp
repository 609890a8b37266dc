// The C++ expressions that header and source share: types, defaults, conditions on the version.
#pragma once

#include "schema.hpp"

#include <string>

namespace muster::generator {

std::string element_type(const Field& field);
std::string field_type(const Field& field);

// The field's default as an initializer: what a member declaration or an assignment takes.
std::string default_expression(const Field& field);

// True for fields that differ from their default.
std::string differs_from_default(const Field& field);

// What holds for exactly `versions` among those of `scope`; "true" or "false" if that is constant.
std::string condition(Versions versions, Versions scope);

// Whether the field is laid out compactly, and the layout argument of the array functions.
std::string compact(const Field& field);
std::string array_layout(const Message& message, const Field& field);

// The statement under `if (condition)`, or bare, or nothing at all.
std::string guarded(const std::string& condition, const std::string& statement);

// True for fixed-size kinds that are no arrays; their size on the wire.
std::optional<std::size_t> fixed_size(const Field& field);

// int8 .. int64, float64, bool, uuid, string, bytes: as in read_int8.
std::string kind_name(Kind kind);

}  // namespace muster::generator
