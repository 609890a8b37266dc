/* What abidiff looks at: every table of the border, reached by pointer from a function, so that a
 * member at the tail of a table is no change of the function. Never run. */
#include <muster/abi/broker.h>
#include <muster/abi/group_protocol.h>
#include <muster/abi/host.h>
#include <muster/abi/options.h>
#include <muster/abi/partition_assignor.h>
#include <muster/abi/plugin.h>
#include <muster/abi/request.h>
#include <muster/abi/store.h>
#include <muster/abi/types.h>

#define PROBE(type) \
  MUSTER_EXPORT void probe_##type(const type* table) { (void)table; }

/* All structs of the border, ascending. */
PROBE(muster_answer)
PROBE(muster_api_claim)
PROBE(muster_authorize_v1)
PROBE(muster_broker_v1)
PROBE(muster_bytes)
PROBE(muster_bytes_sink)
PROBE(muster_clock_v1)
PROBE(muster_commit)
PROBE(muster_decision)
PROBE(muster_directory)
PROBE(muster_error_sink)
PROBE(muster_export)
PROBE(muster_feature)
PROBE(muster_group_facet_v1)
PROBE(muster_group_owner)
PROBE(muster_group_protocol_v1)
PROBE(muster_host)
PROBE(muster_input_sink)
PROBE(muster_listed_sink)
PROBE(muster_log_v1)
PROBE(muster_metadata_events)
PROBE(muster_metadata_v1)
PROBE(muster_metadata_view)
PROBE(muster_metrics_v1)
PROBE(muster_mirror_sink)
PROBE(muster_node_v1)
PROBE(muster_option)
PROBE(muster_options)
PROBE(muster_partition_assignment)
PROBE(muster_partition_assignor_v1)
PROBE(muster_partition_assignor_view)
PROBE(muster_partition_sink)
PROBE(muster_plugin)
PROBE(muster_random_v1)
PROBE(muster_record)
PROBE(muster_record_sink)
PROBE(muster_reply)
PROBE(muster_request)
PROBE(muster_route_sink)
PROBE(muster_shard)
PROBE(muster_store_events)
PROBE(muster_store_v1)
PROBE(muster_str)
PROBE(muster_topic)
PROBE(muster_topic_change)
PROBE(muster_topic_partition)
PROBE(muster_type_claim)
PROBE(muster_uuid)
