// The APIs of the broker, one function each. Each answers once, or keeps the answer to do it later;
// a body that cannot be read closes the connection. Any thread.
#pragma once

#include "core.hpp"

namespace muster::embedded {

void handle_produce(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_fetch(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_list_offsets(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_metadata(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_create_topics(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_delete_topics(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_init_producer_id(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_offset_for_leader_epoch(Core& core, const sdk::Request& request,
                                    sdk::Answer& answer);
void handle_create_partitions(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_describe_cluster(Core& core, const sdk::Request& request, sdk::Answer& answer);
void handle_describe_topic_partitions(Core& core, const sdk::Request& request,
                                      sdk::Answer& answer);

}  // namespace muster::embedded
