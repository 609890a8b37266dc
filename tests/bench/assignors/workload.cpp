// Random numbers, ids and texts exactly as AssignorBench.java makes them. Benches only.
#include "workload.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

namespace muster::assignors {
namespace {

constexpr std::uint64_t seed = 42;
constexpr std::uint64_t golden = 0x9E3779B97F4A7C15;

// xorshift64*
class Random {
 public:
  explicit Random(std::uint64_t state) : state_(state) {}
  std::uint64_t next() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return state_ * 0x2545F4914F6CDD1D;
  }
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(next() % bound); }

 private:
  std::uint64_t state_;
};

struct Id {
  std::int64_t high, low;  // Kafka compares them signed
  std::string text;        // URL-safe base64 without padding
};

Id draw_id(Random& random) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const std::uint64_t halves[2] = {random.next(), random.next()};
  Id id{static_cast<std::int64_t>(halves[0]), static_cast<std::int64_t>(halves[1]), {}};
  const auto bit = [&](int at) { return at < 128 ? halves[at / 64] >> (63 - at % 64) & 1 : 0; };
  for (int at = 0; at < 128; at += 6) {
    std::size_t digit = 0;
    for (int i = 0; i < 6; ++i) digit = digit * 2 + bit(at + i);
    id.text += digits[digit];
  }
  return id.text[0] == '-' ? draw_id(random) : id;
}

// Topics by number, for each member.
std::vector<std::vector<std::uint32_t>> draw_subscriptions(const Shape& shape) {
  Random random(seed ^ golden);
  const std::uint32_t most = std::min(50u, std::max(1u, shape.topics / 2));
  std::vector<std::vector<std::uint32_t>> wants(shape.members + 1);
  std::vector<std::uint32_t> numbers(shape.topics);
  for (auto& mine : wants) {
    std::iota(numbers.begin(), numbers.end(), 0u);
    const std::uint32_t count = 1 + random.below(most);
    for (std::uint32_t i = 0; i < count; ++i) {
      std::swap(numbers[i], numbers[i + random.below(shape.topics - i)]);
    }
    mine.assign(numbers.begin(), numbers.begin() + count);
  }
  for (std::uint32_t t = 0; t < shape.topics; ++t) wants[t % shape.members].push_back(t);
  return wants;
}

std::vector<std::uint32_t> sorted_distinct(std::vector<std::uint32_t> values) {
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return values;
}

struct Cast {
  std::vector<std::uint32_t> topic_numbers;       // in id order
  std::vector<std::string> member_ids;            // by number; the last one joins in add-member
  std::vector<std::vector<std::uint32_t>> wants;  // by member number: topics in id order
  std::vector<std::uint32_t> member_racks;        // by member number
  std::vector<std::vector<std::uint32_t>> racks;  // by partition
};

// Leaders as Kafka places them: partition after partition one rack further, from a random one on.
// The racks of further replicas are random.
void draw_racks(const Shape& shape, Cast& cast) {
  Random random(seed + golden);
  for (std::uint32_t m = 0; m <= shape.members; ++m) {
    cast.member_racks.push_back(random.below(shape.racks));
  }
  for (std::uint32_t t = 0; t < shape.topics; ++t) {
    const std::uint32_t start = random.below(shape.racks);
    for (std::uint32_t p = 0; p < shape.partitions; ++p) {
      auto& racks = cast.racks.emplace_back();
      racks.push_back((start + p) % shape.racks);
      while (racks.size() < shape.replicas) {
        const std::uint32_t rack = random.below(shape.racks);
        if (std::ranges::find(racks, rack) == racks.end()) racks.push_back(rack);
      }
      std::ranges::sort(racks);
    }
  }
}

Cast draw_cast(const Shape& shape) {
  Cast cast;
  if (shape.racks > 0) draw_racks(shape, cast);
  Random random(seed);
  std::vector<Id> topics;
  for (std::uint32_t t = 0; t < shape.topics; ++t) topics.push_back(draw_id(random));
  for (std::uint32_t m = 0; m <= shape.members; ++m) {
    cast.member_ids.push_back(draw_id(random).text);
  }
  cast.topic_numbers.resize(shape.topics);
  std::iota(cast.topic_numbers.begin(), cast.topic_numbers.end(), 0u);
  std::ranges::sort(cast.topic_numbers, {}, [&](std::uint32_t number) {
    return std::pair(topics[number].high, topics[number].low);
  });
  std::vector<std::uint32_t> place(shape.topics);
  for (std::uint32_t t = 0; t < shape.topics; ++t) place[cast.topic_numbers[t]] = t;
  if (shape.subscription == "homogeneous") {
    cast.wants.assign(shape.members + 1, sorted_distinct(place));
    return cast;
  }
  cast.wants = draw_subscriptions(shape);
  for (auto& wants : cast.wants) {
    for (std::uint32_t& topic : wants) topic = place[topic];
    wants = sorted_distinct(std::move(wants));
  }
  return cast;
}

// The group of these members, by number, in id order.
Group gather(const Shape& shape, const Cast& cast, std::vector<std::uint32_t> numbers) {
  std::ranges::sort(numbers, {}, [&](std::uint32_t m) { return cast.member_ids[m]; });
  Group group;
  group.topics.assign(shape.topics, shape.partitions);
  for (const std::uint32_t m : numbers) {
    if (shape.subscription == "heterogeneous" || group.subscriptions.empty()) {
      group.subscriptions.push_back(cast.wants[m]);
    }
    const auto subscription = static_cast<std::uint32_t>(group.subscriptions.size() - 1);
    group.members.push_back({.id = cast.member_ids[m], .subscription = subscription});
    if (shape.racks > 0) group.members.back().rack = rack_name(cast.member_racks[m]);
  }
  group.racks = cast.racks;
  return group;
}

Owners translate(const Owners& owners, const Group& from, const Group& to) {
  std::vector<std::uint32_t> place;
  for (const Member& member : from.members) {
    const auto found = std::ranges::lower_bound(to.members, member.id, {}, &Member::id);
    const bool here = found != to.members.end() && found->id == member.id;
    place.push_back(here ? static_cast<std::uint32_t>(found - to.members.begin()) : MUSTER_NONE);
  }
  Owners translated;
  for (const std::uint32_t owner : owners) translated.push_back(place[owner]);
  return translated;
}

std::string ranges(const std::vector<std::uint32_t>& ascending) {
  std::string text;
  for (std::size_t i = 0; i < ascending.size();) {
    std::size_t end = i + 1;
    while (end < ascending.size() && ascending[end] == ascending[end - 1] + 1) ++end;
    if (!text.empty()) text += ',';
    text += std::to_string(ascending[i]);
    if (end - i > 1) text += '-' + std::to_string(ascending[end - 1]);
    i = end;
  }
  return text;
}

std::string topic_name(std::uint32_t number) {
  const std::string digits = std::to_string(number);
  return "topic-" + std::string(5 - digits.size(), '0') + digits;
}

}  // namespace

std::string Shape::flags() const {
  std::string text = "--assignor " + assignor + " --via assign --subscription " + subscription +
                     " --scenario " + scenario + " --members " + std::to_string(members) +
                     " --topics " + std::to_string(topics) + " --partitions " +
                     std::to_string(partitions);
  if (racks == 0) return text;
  text += " --racks " + std::to_string(racks) + " --replicas " + std::to_string(replicas);
  return co_partitioned ? text : text + " --each-topic-alone";
}

Settings Shape::settings() const {
  if (racks == 0) return {};
  Settings settings = by_racks;
  if (!co_partitioned) settings["group.consumer.assignor.range.co.partitioned"] = "false";
  return settings;
}

std::uint32_t count_in_rack(const Group& group, const Owners& owners) {
  std::uint32_t count = 0;
  for (std::size_t p = 0; p < owners.size() && !group.racks.empty(); ++p) {
    const auto& rack = group.members[owners[p]].rack;
    count += std::ranges::any_of(group.racks[p],
                                 [&](std::uint32_t at) { return rack_name(at) == rack; });
  }
  return count;
}

Workload make_workload(const Shape& shape, const Assignor& assignor) {
  const Cast cast = draw_cast(shape);
  std::vector<std::uint32_t> numbers(shape.members);
  std::iota(numbers.begin(), numbers.end(), 0u);
  const Group before = gather(shape, cast, numbers);
  if (shape.scenario == "add-member") numbers.push_back(shape.members);
  if (shape.scenario == "remove-member") numbers.erase(numbers.begin() + shape.members / 2);
  Workload workload{gather(shape, cast, numbers), cast.topic_numbers};
  if (shape.scenario != "initial") {
    workload.group.current = translate(assignor.assign(before), before, workload.group);
  }
  return workload;
}

std::uint64_t fingerprint(const Workload& workload, const Owners& owners) {
  const Group& group = workload.group;
  std::vector<std::uint32_t> by_name(workload.name.size());
  for (std::uint32_t t = 0; t < by_name.size(); ++t) by_name[workload.name[t]] = t;
  std::vector<std::string> lines;
  for (const Member& member : group.members) lines.push_back(member.id + ' ');
  std::vector<std::vector<std::uint32_t>> held(group.members.size());
  for (std::uint32_t number = 0; number < by_name.size(); ++number) {
    const std::uint32_t partitions = group.topics[by_name[number]];
    const std::size_t first = std::size_t{by_name[number]} * partitions;
    for (std::uint32_t p = 0; p < partitions; ++p) held[owners[first + p]].push_back(p);
    for (std::uint32_t p = 0; p < partitions; ++p) {
      auto& mine = held[owners[first + p]];
      if (mine.empty()) continue;
      std::string& line = lines[owners[first + p]];
      if (line.back() != ' ') line += ';';
      line += topic_name(number) + ':' + ranges(mine);
      mine.clear();
    }
  }
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::string& line : lines) {
    for (const char c : line + '\n') {
      hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
    }
  }
  return hash;
}

}  // namespace muster::assignors
