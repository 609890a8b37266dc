// See broker.hpp.
#include "broker.hpp"

#include <utility>

#include <muster/protocol/apis.hpp>

#include "apis/handlers.hpp"

namespace muster::embedded {

void Broker::handle(const sdk::Request& request, sdk::Answer answer) {
  namespace api = protocol::api;
  switch (request.api_key()) {
    case api::produce: return handle_produce(core_, request, answer);
    case api::fetch: return handle_fetch(core_, request, answer);
    case api::list_offsets: return handle_list_offsets(core_, request, answer);
    case api::metadata: return handle_metadata(core_, request, answer);
    case api::create_topics: return handle_create_topics(core_, request, answer);
    case api::delete_topics: return handle_delete_topics(core_, request, answer);
    case api::init_producer_id: return handle_init_producer_id(core_, request, answer);
    case api::offset_for_leader_epoch:
      return handle_offset_for_leader_epoch(core_, request, answer);
    case api::create_partitions: return handle_create_partitions(core_, request, answer);
    case api::describe_cluster: return handle_describe_cluster(core_, request, answer);
    case api::describe_topic_partitions:
      return handle_describe_topic_partitions(core_, request, answer);
    default: return answer.close();
  }
}

}  // namespace muster::embedded
