// Reads the stored outcomes of Kafka's assignors. Tests only.
#include "kafka_cases.hpp"

#include <zlib.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "plugin_files.hpp"

namespace muster::assignors {
namespace {

std::string read_all(const std::string& file) {
  const gzFile in = gzopen(file.c_str(), "rb");
  if (in == nullptr) throw std::runtime_error("cannot open " + file);
  std::string text;
  std::string block(1 << 16, '\0');
  int got = 0;
  while ((got = gzread(in, block.data(), static_cast<unsigned>(block.size()))) > 0) {
    text.append(block, 0, static_cast<std::size_t>(got));
  }
  if (gzclose_r(in) != Z_OK || got < 0) throw std::runtime_error("cannot read " + file);
  return text;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, separator);) parts.push_back(part);
  return parts;
}

std::uint32_t number(const std::string& text) {
  return static_cast<std::uint32_t>(std::stoul(text));
}

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

void read_owners(std::istringstream& in, Owners& owners) {
  for (std::string run; in >> run;) {
    const std::size_t star = run.find('*');
    const std::uint32_t times = star == run.npos ? 1 : number(run.substr(star + 1));
    owners.insert(owners.end(), times, run[0] == '-' ? MUSTER_NONE : number(run));
  }
}

void read_line(const std::string& line, std::vector<KafkaCase>& cases) {
  std::istringstream in(line);
  std::string what;
  in >> what;
  if (what == "case") {
    cases.emplace_back();
    in >> cases.back().name >> cases.back().order;
    return;
  }
  KafkaCase& now = cases.at(cases.size() - 1);
  if (what == "current") return read_owners(in, now.group.current);
  if (what == "owners") return read_owners(in, now.owners);
  for (std::string word; in >> word;) {
    if (what == "topics") {
      now.group.topics.push_back(number(word));
    } else if (what == "subscriptions") {
      auto& topics = now.group.subscriptions.emplace_back();
      if (word == "-") continue;
      for (const std::string& topic : split(word, ',')) topics.push_back(number(topic));
    } else if (what == "members") {
      const auto parts = split(word, '/');
      now.group.members.push_back({parts.at(0), unless_empty(parts.at(1)),
                                   unless_empty(parts.at(2)), number(parts.at(3))});
    } else {
      throw std::runtime_error("unknown line: " + line);
    }
  }
}

}  // namespace

std::vector<KafkaCase> read_kafka_cases(const std::string& assignor) {
  std::vector<KafkaCase> cases;
  for (const std::string& line : split(read_all(vector_file(assignor)), '\n')) {
    read_line(line, cases);
  }
  return cases;
}

}  // namespace muster::assignors
