// The simulated network.
#include "network.hpp"

namespace muster::simulation {

// Answers wait here until those before them have been read.
class Network::Connection : public host::AnswerSink {
 public:
  Connection(Trace& trace, std::string id) : client_id(std::move(id)), trace_(trace) {}

  void deliver(std::uint64_t slot, host::Answer answer) override {
    if (++times_[slot] > 1) trace_.violated(client_id + ": a request was answered twice");
    const bool has_body =
        answer.kind == host::AnswerKind::body || answer.kind == host::AnswerKind::shared;
    if (!has_body) {
      trace_.violated(client_id + ": API " + std::to_string(api_keys[slot]) +
                      " is answered without a body");
    }
    host::Buffer& body = answers[slot];
    body.assign(answer.body.begin(), answer.body.end());
    for (const muster_bytes& part : answer.shared.parts()) {
      body.insert(body.end(), part.data, part.data + part.size);
    }
  }

  std::string client_id;
  std::deque<Request> to_host;
  std::deque<std::pair<std::uint64_t, std::function<void(host::Bytes)>>> in_host;
  std::map<std::uint64_t, host::Buffer> answers;
  std::map<std::uint64_t, std::int16_t> api_keys;
  host::TouchedShards touched;
  std::uint64_t last_slot = 0;

 private:
  Trace& trace_;
  std::map<std::uint64_t, int> times_;
};

ConnectionId Network::connect(std::string client_id) {
  connections_[++last_] = std::make_shared<Connection>(host_.trace, std::move(client_id));
  return last_;
}

void Network::send(ConnectionId connection, Request request) {
  connections_.at(connection)->to_host.push_back(std::move(request));
}

void Network::drop(ConnectionId connection) {
  const auto found = connections_.find(connection);
  if (found == connections_.end()) return;
  const std::shared_ptr<Connection> gone = std::move(found->second);
  connections_.erase(found);
  host_.dispatcher().disconnected(connection, gone->touched);
}

bool Network::step(Random& random) {
  std::vector<std::pair<ConnectionId, bool>> choices;  // true: towards the host
  for (const auto& [id, connection] : connections_) {
    if (!connection->to_host.empty()) choices.emplace_back(id, true);
    const auto& waiting = connection->in_host;
    if (!waiting.empty() && connection->answers.contains(waiting.front().first)) {
      choices.emplace_back(id, false);
    }
  }
  if (choices.empty()) return false;
  const auto [id, inward] = choices[random.below(choices.size())];
  const std::shared_ptr<Connection> connection = connections_.at(id);
  if (!inward) {
    const auto [slot, on_answer] = std::move(connection->in_host.front());
    connection->in_host.pop_front();
    const host::Buffer body = std::move(connection->answers.at(slot));
    connection->answers.erase(slot);
    on_answer(body);
    return true;
  }
  Request sent = std::move(connection->to_host.front());
  connection->to_host.pop_front();
  muster_request request{};
  request.struct_size = sizeof request;
  request.api_key = sent.api_key;
  request.version = sent.version;
  request.body = host::to_abi(host::Bytes(sent.body));
  request.id = ++host_.request_ids;
  request.connection = id;
  request.principal = host::to_abi(std::string_view("User:sim"));
  request.client_id = host::to_abi(std::string_view(connection->client_id));
  request.client_host = host::to_abi(std::string_view("/127.0.0.1"));
  request.listener = host::to_abi(std::string_view());
  const std::uint64_t slot = ++connection->last_slot;
  connection->in_host.emplace_back(slot, std::move(sent.on_answer));
  connection->api_keys[slot] = sent.api_key;
  if (sent.on_served) sent.on_served();
  host_.dispatcher().dispatch(request, {connection, slot}, &connection->touched);
  return true;
}

std::size_t Network::unanswered() const {
  std::size_t count = 0;
  for (const auto& [id, connection] : connections_) {
    count += connection->to_host.size() + connection->in_host.size();
  }
  return count;
}

}  // namespace muster::simulation
