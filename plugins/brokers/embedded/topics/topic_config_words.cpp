// See topic_config_words.hpp.
#include "topic_config_words.hpp"

#include <algorithm>
#include <iterator>

namespace muster::embedded {
namespace {

// Ascending by name.
constexpr ConfigWords words[] = {
    {"cleanup.policy", "log.cleanup.policy",
     "What happens to old records: delete drops them by age and size, compact keeps the newest of "
     "each key"},
    {"compression.gzip.level", "compression.gzip.level",
     "Level for batches that are compressed anew with gzip"},
    {"compression.lz4.level", "compression.lz4.level",
     "Level for batches that are compressed anew with lz4"},
    {"compression.type", "compression.type",
     "How stored batches are compressed; producer keeps them as they were sent"},
    {"compression.zstd.level", "compression.zstd.level",
     "Level for batches that are compressed anew with zstd"},
    {"delete.retention.ms", "log.cleaner.delete.retention.ms",
     "How long a compacted topic keeps the markers of deleted keys"},
    {"errors.deadletterqueue.group.enable", "",
     "Whether share groups may write records to this topic that they could not deliver"},
    {"file.delete.delay.ms", "log.segment.delete.delay.ms",
     "How long a deleted file stays on disk"},
    {"flush.messages", "log.flush.interval.messages",
     "Records after which the log is forced to disk"},
    {"flush.ms", "log.flush.interval.ms", "Time after which the log is forced to disk", false},
    {"follower.replication.throttled.replicas", "",
     "Replicas whose replication is throttled where they follow: PARTITION:BROKER,... or *"},
    {"index.interval.bytes", "log.index.interval.bytes",
     "Bytes of log between two entries of the offset index"},
    {"internal.segment.bytes", "", "Size of a segment, below the least that segment.bytes allows"},
    {"leader.replication.throttled.replicas", "",
     "Replicas whose replication is throttled where they lead: PARTITION:BROKER,... or *"},
    {"local.retention.bytes", "log.local.retention.bytes",
     "Bytes of a partition kept locally under tiered storage; -2 is retention.bytes"},
    {"local.retention.ms", "log.local.retention.ms",
     "How long records are kept locally under tiered storage; -2 is retention.ms"},
    {"max.compaction.lag.ms", "log.cleaner.max.compaction.lag.ms",
     "Longest time that a record stays out of compaction"},
    {"max.decompressed.message.bytes", "max.decompressed.message.bytes",
     "Largest record once it is unpacked"},
    {"max.message.bytes", "message.max.bytes", "Largest record batch, after compression"},
    {"message.timestamp.after.max.ms", "log.message.timestamp.after.max.ms",
     "How far a record's timestamp may lie in the future"},
    {"message.timestamp.before.max.ms", "log.message.timestamp.before.max.ms",
     "How far a record's timestamp may lie in the past"},
    {"message.timestamp.type", "log.message.timestamp.type", "Whose clock records carry"},
    {"min.cleanable.dirty.ratio", "log.cleaner.min.cleanable.ratio",
     "Part of the log that is not compacted yet from which on it is"},
    {"min.compaction.lag.ms", "log.cleaner.min.compaction.lag.ms",
     "Shortest time that a record stays out of compaction"},
    {"min.insync.replicas", "min.insync.replicas",
     "Replicas that must have a batch before acks=all is answered"},
    {"preallocate", "log.preallocate", "Whether files get their full size when they are made"},
    {"remote.copy.lag.bytes", "log.remote.copy.lag.bytes",
     "Bytes behind the end of the log from which on segments are copied to tiered storage"},
    {"remote.copy.lag.ms", "log.remote.copy.lag.ms",
     "Age from which on segments are copied to tiered storage"},
    {"remote.log.copy.disable", "", "Whether tiered storage takes no more of this topic"},
    {"remote.log.delete.on.disable", "",
     "Whether what tiered storage has of this topic goes when it is turned off"},
    {"remote.storage.enable", "", "Whether tiered storage is used"},
    {"retention.bytes", "log.retention.bytes",
     "Most bytes of a partition before the oldest records are deleted; -1 is any size"},
    {"retention.ms", "log.retention.ms", "How long records are kept; -1 is for ever", false},
    {"segment.bytes", "log.segment.bytes", "Size of one segment of the log"},
    {"segment.index.bytes", "log.index.size.max.bytes", "Largest index of a segment"},
    {"segment.jitter.ms", "log.roll.jitter.ms", "Most that is taken at random off segment.ms",
     false},
    {"segment.ms", "log.roll.ms", "Time after which a segment is closed though it is not full",
     false},
    {"unclean.leader.election.enable", "unclean.leader.election.enable",
     "Whether a replica that lags may lead when no other can"},
};

}  // namespace

ConfigWords words_of(std::string_view config) {
  const auto* at = std::ranges::lower_bound(words, config, {}, &ConfigWords::name);
  return at == std::end(words) || at->name != config ? ConfigWords{} : *at;
}

}  // namespace muster::embedded
