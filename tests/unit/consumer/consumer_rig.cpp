// The host run by hand.
#include "consumer_rig.hpp"

#include <muster/protocol/messages/consumer_group_heartbeat_response.hpp>

#include <algorithm>
#include <stdexcept>

namespace muster::consumer {
namespace {

using Request = protocol::ConsumerGroupHeartbeatRequest;
using Response = protocol::ConsumerGroupHeartbeatResponse;

protocol::Buffer body_of(const Beat& beat, const Topics& topics) {
  Request request;
  request.group_id = beat.group;
  request.member_id = beat.member;
  request.member_epoch = beat.epoch;
  request.instance_id = beat.instance;
  request.rack_id = beat.rack;
  request.rebalance_timeout_ms = beat.rebalance_timeout_ms;
  if (beat.topics) {
    request.subscribed_topic_names.emplace(beat.topics->begin(), beat.topics->end());
  }
  request.subscribed_topic_regex = beat.regex;
  request.server_assignor = beat.assignor;
  if (beat.owned) request.topic_partitions = topics.parse<Request::TopicPartitions>(*beat.owned);
  protocol::Buffer body;
  protocol::encode(request, beat.version, body);
  return body;
}

struct InputSink {
  std::optional<Run>* run;
  testing::Buffer* bytes;
  testing::Offload task;

  static void take_bytes(void* self, muster_bytes input) {
    *static_cast<InputSink*>(self)->bytes = testing::copy_of(input);
  }
  static void take_view(void* self, const muster_partition_assignor_view* view) {
    auto& sink = *static_cast<InputSink*>(self);
    sink.run->emplace(sink.task, *view);
  }
};

bool is_match(const testing::Offload& task) { return task.kind == "work/regex"; }

}  // namespace

std::vector<std::uint32_t> evenly(const muster_partition_assignor_view& view) {
  const std::uint32_t partitions = view.topic_first[view.topic_count];
  std::vector<std::uint32_t> owner(partitions, MUSTER_NONE);
  std::vector<std::uint32_t> load(view.member_count);
  const auto subscribes = [&](std::uint32_t member, std::uint32_t topic) {
    const std::uint32_t s = view.member_subscription[member];
    return std::binary_search(view.subscription_topics + view.subscription_first[s],
                              view.subscription_topics + view.subscription_first[s + 1], topic);
  };
  const std::uint32_t quota =
      view.member_count == 0 ? 0 : (partitions + view.member_count - 1) / view.member_count;
  for (const bool keep : {true, false}) {
    for (std::uint32_t t = 0; t < view.topic_count; ++t) {
      for (std::uint32_t p = view.topic_first[t]; p < view.topic_first[t + 1]; ++p) {
        std::uint32_t best = MUSTER_NONE;
        for (std::uint32_t m = 0; m < view.member_count; ++m) {
          if (!subscribes(m, t)) continue;
          if (keep ? view.current_owner[p] == m && load[m] < quota
                   : best == MUSTER_NONE || load[m] < load[best]) {
            best = m;
          }
        }
        if (owner[p] != MUSTER_NONE || best == MUSTER_NONE) continue;
        owner[p] = best;
        ++load[best];
      }
    }
  }
  return owner;
}

Run::Run(testing::Offload of, const muster_partition_assignor_view& view)
    : task(std::move(of)), view_(view) {
  const auto strings = [&](const muster_str* from, std::size_t count) {
    std::vector<muster_str> copy;
    for (std::size_t i = 0; i < count; ++i) {
      if (from[i].data == nullptr) {
        copy.push_back({nullptr, 0});
        continue;
      }
      const std::string& text = texts_.emplace_back(from[i].data, from[i].size);
      copy.push_back({text.data(), text.size()});
    }
    strings_.push_back(std::move(copy));
    return strings_.back().data();
  };
  const auto numbers = [&](const std::uint32_t* from, std::size_t count) {
    numbers_.emplace_back(from, from + count);
    return numbers_.back().data();
  };
  strings_.reserve(5);
  numbers_.reserve(9);
  const std::size_t partitions = view.topic_first[view.topic_count];
  view_.group_id = *strings(&view.group_id, 1);
  view_.topic_names = strings(view.topic_names, view.topic_count);
  ids_.assign(view.topic_ids, view.topic_ids + view.topic_count);
  view_.topic_ids = ids_.data();
  view_.topic_first = numbers(view.topic_first, view.topic_count + 1);
  view_.member_ids = strings(view.member_ids, view.member_count);
  view_.instance_ids = strings(view.instance_ids, view.member_count);
  view_.instance_rank = numbers(view.instance_rank, view.member_count);
  view_.member_racks = numbers(view.member_racks, view.member_count);
  view_.member_subscription = numbers(view.member_subscription, view.member_count);
  view_.subscription_first = numbers(view.subscription_first, view.subscription_count + 1);
  view_.subscription_topics =
      numbers(view.subscription_topics, view.subscription_first[view.subscription_count]);
  view_.current_owner = numbers(view.current_owner, partitions);
  view_.racks = strings(view.racks, view.rack_count);
  view_.partition_rack_first = numbers(view.partition_rack_first, partitions + 1);
  view_.partition_racks = numbers(view.partition_racks, view.partition_rack_first[partitions]);
}

ConsumerRig::ConsumerRig(Door door, bool opened)
    : ProtocolRig(testing::plugin_behind(door), "consumer") {
  if (opened) open();
}

ConsumerRig::~ConsumerRig() = default;

void ConsumerRig::open() { ProtocolRig::open(); }

void ConsumerRig::reload() { ProtocolRig::reload(); }

testing::Outcome ConsumerRig::decide(const testing::RequestSpec& spec) {
  return ProtocolRig::decide(spec);
}

testing::Buffer ConsumerRig::answer(const testing::RequestSpec& spec) {
  return ProtocolRig::answer(spec);
}

testing::Outcome ConsumerRig::on_timer(const std::string& key) {
  return ProtocolRig::on_timer(key);
}

void ConsumerRig::topic(std::string_view name, std::uint32_t partitions) {
  topic(name, {.partitions = partitions});
}

void ConsumerRig::topic(std::string_view name, testing::FakeTopic spec) {
  topics.put(std::string(name), std::move(spec));
  take(on_metadata());
}

void ConsumerRig::remove_topic(std::string_view name) {
  metadata.remove(std::string(name));
  take(on_metadata());
}

void ConsumerRig::deny(std::int32_t operation, std::int32_t resource_type,
                       std::string_view resource) {
  host.denied.push_back({operation, resource_type, std::string(resource)});
}

// As the host: inputs are built once the records are replayed; a second ask of a key waits.
void ConsumerRig::take(testing::Outcome outcome) {
  last = std::move(outcome);
  if (last.code != MUSTER_OK) throw std::logic_error("a slot failed: " + last.error);
  for (const testing::Offload& task : last.offloads) {
    std::optional<Run> run;
    testing::Buffer input;
    InputSink sink{&run, &input, task};
    const muster_input_sink table_of{sizeof table_of, &sink, &InputSink::take_bytes,
                                     &InputSink::take_view};
    if (task_input(task, &table_of) != MUSTER_OK || run.has_value() == is_match(task)) {
      throw std::logic_error("the wrong input, or none");
    }
    if (run) runs.push_back(std::move(*run));
    if (!run) matches.push_back({task, std::move(input)});
  }
}

Answer ConsumerRig::parse(const testing::Buffer& body, std::int16_t version) const {
  const auto response = protocol::decode<Response>(body, version);
  if (!response) throw std::logic_error("an answer that cannot be read");
  Answer answer;
  answer.error = response->error_code;
  if (response->error_message) answer.message = std::string(*response->error_message);
  if (response->member_id) answer.member = std::string(*response->member_id);
  answer.epoch = response->member_epoch;
  answer.interval_ms = response->heartbeat_interval_ms;
  if (response->assignment)
    answer.assignment = topics.text_of(response->assignment->topic_partitions);
  return answer;
}

testing::RequestSpec ConsumerRig::spec_of(const Beat& beat) {
  testing::RequestSpec spec;
  spec.api_key = Request::api_key;
  spec.version = beat.version;
  spec.body = body_of(beat, topics);
  spec.id = next_id_++;
  spec.client_id = beat.client_id;
  spec.client_host = beat.client_host;
  spec.principal = beat.principal;
  spec.key = beat.group;
  spec.owner = beat.owner;
  return spec;
}

void ConsumerRig::ask(const testing::RequestSpec& spec) { take(decide(spec)); }

std::optional<Answer> ConsumerRig::send(const Beat& beat) {
  take(decide(spec_of(beat)));
  for (const testing::Park& park : last.parks) parked[park.token] = beat.version;
  if (last.response.has_value() == !last.parks.empty()) {
    throw std::logic_error("a heartbeat must be answered or parked");
  }
  if (!last.response) return std::nullopt;
  return parse(*last.response, beat.version);
}

Answer ConsumerRig::beat(const Beat& beat) {
  if (auto answer = send(beat)) return *answer;
  const auto answers = finish();
  if (answers.empty()) throw std::logic_error("the heartbeat got no answer");
  return answers.back();
}

Answers ConsumerRig::completions() {
  Answers answers;
  for (const testing::Completion& done : last.completions) {
    const auto waited = parked.find(done.token);
    if (waited == parked.end()) {
      others.push_back(done.body);
      continue;
    }
    answers.push_back(parse(done.body, waited->second));
    parked.erase(waited);
  }
  return answers;
}

Answers ConsumerRig::finish(const Assign& assign) {
  if (runs.empty()) throw std::logic_error("no assignment was asked for");
  const Run run = std::move(runs.front());
  runs.pop_front();
  const std::vector<std::uint32_t> owner = assign(run.view());
  const muster_partition_assignment result{sizeof result, &run.view(), owner.data()};
  take(on_task(run.task, MUSTER_OK,
               {reinterpret_cast<const std::uint8_t*>(&result), sizeof result}));
  return completions();
}

Answers ConsumerRig::fail() {
  const testing::Offload task = runs.front().task;
  runs.pop_front();
  take(on_task(task, MUSTER_INTERNAL, {nullptr, 0}));
  return completions();
}

Answer ConsumerRig::expire() {
  take(on_expired(parked.begin()->first));
  return completions().at(0);
}

void ConsumerRig::match() {
  if (matches.empty()) throw std::logic_error("no match was asked for");
  const auto [task, input] = matches.front();
  matches.pop_front();
  testing::ByteCollector result;
  testing::ErrorText error;
  if (table()->work(self(), testing::to_str(task.kind), testing::to_bytes(input), result.table(),
                    error.table()) != MUSTER_OK) {
    throw std::logic_error("work failed: " + error.text);
  }
  take(on_task(task, MUSTER_OK, testing::to_bytes(result.bytes)));
}

void ConsumerRig::fail_match() {
  const testing::Offload task = matches.front().task;
  matches.pop_front();
  take(on_task(task, MUSTER_UNAVAILABLE, {nullptr, 0}));
}

void ConsumerRig::pass(std::int64_t ms) {
  last = {};
  for (testing::Outcome& outcome : advance(ms)) take(std::move(outcome));
}

void ConsumerRig::reload_changed() {
  close();
  open();
}

testing::Outcome ConsumerRig::remove_group(std::string_view group) {
  std::int16_t error = 0;
  testing::Outcome outcome = run("remove", [&](const muster_decision* out, auto*) {
    error = table()->facet->remove(shard_object(), testing::to_str(group), out);
    return MUSTER_OK;
  });
  if (error != 0) throw std::logic_error("error " + std::to_string(error));
  return outcome;
}

Lines ConsumerRig::stored() const { return text_.of(last); }

Lines ConsumerRig::stored(const testing::Outcome& outcome) const { return text_.of(outcome); }

Lines ConsumerRig::all_stored() {
  Lines lines;
  for (const auto& [key, kept] : shard.stored) {
    lines.push_back(text_.of(testing::Write{"consumer", false, key, kept.second}));
  }
  return lines;
}

std::string ConsumerRig::state(std::string_view group) {
  std::string out;
  const muster_listed_sink sink{
      sizeof sink, &out, [](void* self, muster_str type, muster_str protocol, muster_str is) {
        *static_cast<std::string*>(self) =
            testing::copy_of(type) + "/" + testing::copy_of(protocol) + "/" + testing::copy_of(is);
      }};
  const auto describe = table()->facet->describe_listed;
  if (describe(shard_object(), testing::to_str(group), &sink) != MUSTER_OK) return "none";
  return out.substr(out.rfind('/') + 1);
}

}  // namespace muster::consumer
