// The topics of a test.
#include "topics.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <stdexcept>

namespace muster::consumer {

void Topics::put(const std::string& name, testing::FakeTopic spec) {
  const muster_uuid raw = metadata_.put(name, std::move(spec));
  protocol::Uuid id;
  std::memcpy(id.bytes.data(), raw.bytes, sizeof raw.bytes);
  names_[id] = name;
  ids_[name] = id;
}

std::string Topics::name_of(const protocol::Uuid& id) const {
  const auto found = names_.find(id);
  return found == names_.end() ? id.to_string() : found->second;
}

protocol::Uuid Topics::id_of(const std::string& name) const {
  const auto found = ids_.find(name);
  if (found == ids_.end()) throw std::logic_error("no topic " + name);
  return found->second;
}

std::string Topics::text_of_plain(const Plain& topics) const {
  std::vector<std::string> words;
  for (const auto& [id, partitions] : topics) {
    std::string word = name_of(id) + ":";
    for (std::size_t i = 0; i < partitions.size(); ++i) {
      word += (i == 0 ? "" : ",") + std::to_string(partitions[i]);
    }
    words.push_back(std::move(word));
  }
  std::ranges::sort(words);
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

Topics::Plain Topics::parse_plain(const std::string& text) const {
  Plain out;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const std::size_t colon = word.find(':');
    auto& topic = out.emplace_back(id_of(word.substr(0, colon)), std::vector<std::int32_t>{});
    std::istringstream numbers(word.substr(colon + 1));
    for (std::string number; std::getline(numbers, number, ',');) {
      topic.second.push_back(std::stoi(number));
    }
  }
  return out;
}

}  // namespace muster::consumer
