// Matching topic names on the pool. [worker]
#include <muster/protocol/arrays.hpp>
#include <muster/sdk/text.hpp>

#include <memory>
#include <vector>

#include <re2/re2.h>

#include "regex.hpp"

namespace muster::consumer {
namespace {

using protocol::Reader;
using protocol::Writer;
using Names = std::vector<std::string_view>;

constexpr protocol::ArrayLayout strings{true, 0, 1};

RE2::Options quiet() {
  RE2::Options options;
  options.set_log_errors(false);
  return options;
}

struct Input {
  std::string_view principal;
  std::string_view client_host;
  std::int64_t version = 0;
  std::int64_t timestamp = 0;
  Names patterns;
  Names topics;
};

Input read_input(sdk::Bytes bytes) {
  Reader in{protocol::Bytes(bytes)};
  Input input;
  input.principal = in.read_string(true);
  input.client_host = in.read_string(true);
  input.version = in.read_int64();
  input.timestamp = in.read_int64();
  protocol::read_array(in, input.patterns, strings);
  protocol::read_array(in, input.topics, strings);
  if (!in.ok() || in.remaining() != 0) {
    throw sdk::Failure(MUSTER_INVALID_ARGUMENT, "the input of work/regex cannot be read");
  }
  return input;
}

// Asked for at most once a topic, and only for topics that match something.
class Permission {
 public:
  Permission(const sdk::Host& host, const Input& input)
      : host_(host), who_{input.principal, input.client_host}, known_(input.topics.size()) {}

  bool may_describe(const Input& input, std::size_t topic) {
    Answer& answer = known_[topic];
    if (answer == Answer::not_asked) {
      const bool allowed = host_.allowed(who_, sdk::Operation::describe, sdk::Resource::topic,
                                         input.topics[topic]);
      answer = allowed ? Answer::yes : Answer::no;
    }
    return answer == Answer::yes;
  }

 private:
  enum class Answer : std::uint8_t { not_asked, yes, no };
  const sdk::Host& host_;
  sdk::Principal who_;
  std::vector<Answer> known_;
};

Names matches(const Input& input, std::string_view pattern, Permission& permission) {
  Names out;
  const RE2 regex(re2::StringPiece(pattern.data(), pattern.size()), quiet());
  // Checked when a member brought it: an expression that does not compile matches nothing.
  if (!regex.ok()) return out;
  for (std::size_t i = 0; i < input.topics.size(); ++i) {
    const std::string_view topic = input.topics[i];
    if (RE2::FullMatch(re2::StringPiece(topic.data(), topic.size()), regex) &&
        permission.may_describe(input, i)) {
      out.push_back(topic);
    }
  }
  return out;
}

}  // namespace

protocol::Buffer regex_input(const Context& context, const Group& group) {
  if (!group.notes.regex_run) throw sdk::Failure(MUSTER_UNAVAILABLE, "nobody asked for a match");
  const sdk::Metadata metadata = context.metadata();
  const Names patterns = [&] {
    Names out;
    for (const auto& [pattern, members] : group.subscribed_regexes()) out.push_back(pattern);
    return out;
  }();
  Names topics;
  topics.reserve(metadata.size());
  for (std::uint32_t i = 0; i < metadata.size(); ++i) topics.push_back(metadata.at(i).name());
  protocol::Buffer input;
  {
    Writer out(input);
    out.write_string(group.notes.regex_run->principal, true);
    out.write_string(group.notes.regex_run->client_host, true);
    out.write_int64(static_cast<std::int64_t>(metadata.version()));
    out.write_int64(context.now_ms());
    protocol::write_array(out, patterns, strings);
    protocol::write_array(out, topics, strings);
  }
  return input;
}

protocol::Buffer match_regexes(const sdk::Host& host, sdk::Bytes bytes) {
  const Input input = read_input(bytes);
  Permission permission(host, input);
  protocol::Buffer result;
  {
    Writer out(result);
    out.write_int64(input.version);
    out.write_int64(input.timestamp);
    out.write_count(input.patterns.size(), true);
    for (const std::string_view pattern : input.patterns) {
      out.write_string(pattern, true);
      protocol::write_array(out, matches(input, pattern, permission), strings);
    }
  }
  return result;
}

std::optional<std::string> regex_problem(std::string_view pattern) {
  const RE2 regex(re2::StringPiece(pattern.data(), pattern.size()), quiet());
  switch (regex.error_code()) {
    case RE2::NoError: return std::nullopt;
    case RE2::ErrorBadEscape: return "invalid escape sequence";
    case RE2::ErrorBadCharClass: return "invalid character class";
    case RE2::ErrorBadCharRange: return "invalid character class range";
    case RE2::ErrorMissingBracket: return "missing closing ]";
    case RE2::ErrorMissingParen: return "missing closing )";
    case RE2::ErrorUnexpectedParen: return "unexpected )";
    case RE2::ErrorTrailingBackslash: return "trailing backslash at end of expression";
    case RE2::ErrorRepeatArgument: return "missing argument to repetition operator";
    case RE2::ErrorRepeatSize: return "invalid repeat count";
    case RE2::ErrorRepeatOp: return "invalid nested repetition operator";
    case RE2::ErrorBadPerlOp: return "invalid or unsupported Perl syntax";
    case RE2::ErrorBadUTF8: return "invalid UTF-8";
    case RE2::ErrorBadNamedCapture: return "invalid named capture";
    default: return regex.error();
  }
}

}  // namespace muster::consumer
