#!/bin/bash
# Muster beside Apache Kafka 4.4.0 in one run: producing and fetching records of 1 KiB. Prints figures and ratios, asserts
# nothing. Needs Java 17 and Maven. BENCH_SECONDS (10) measured, after a warm-up that lets the JVM compile.
#
# acks=all is the same promise on both sides as they are shipped: the batch is the operating system's when it is answered. It
# survives the process, not a loss of power; Kafka relies on replicas for that, here flush.messages forces batches to the disk.
set -eu
. "$(dirname "$0")/servers.sh"
seconds=${BENCH_SECONDS:-10}

# load PORT PID CLIENTS RECORDS_A_BATCH WARM: two JSON lines, of producing and of fetching.
load() { "$build/bin/log_load" 127.0.0.1 "$1" "$2" "$3" "$4" "$5" "$seconds"; }

declare -A ours
start_muster
for clients in 1 16; do
  for records in 15 1; do
    ours[$clients,$records]=$(load "$own" "$muster" $clients $records 2)
    echo "muster ${ours[$clients,$records]//$'\n'/$'\n'muster }"
  done
done
echo "muster resident: $(resident "$muster")"
stop_muster
rm -rf "$work/data"

compare() { # WHAT CLIENTS RECORDS OURS THEIRS
  awk -v what="$1" -v clients="$2" -v records="$3" \
    -v a="$(figure "$4" server_cpu_us_per_record)" -v b="$(figure "$5" server_cpu_us_per_record)" \
    -v r="$(figure "$4" per_second)" -v s="$(figure "$5" per_second)" \
    -v p="$(figure "$4" p99_us)" -v q="$(figure "$5" p99_us)" 'BEGIN {
    printf "%s, %d clients, %d records a batch: %.2f times the records of Kafka (%d against %d a second), ", what, clients, records, r / s, r, s
    printf "CPU a record %.2f of Kafka (%.2f against %.2f us), p99 %d against %d us\n", a / b, a, b, p, q }'
}
start_kafka
for clients in 1 16; do
  for records in 15 1; do
    theirs=$(load "$port" "$kafka" $clients $records 15)
    echo "kafka  ${theirs//$'\n'/$'\n'kafka  }"
    for what in produce fetch; do
      compare $what $clients $records "$(grep "\"$what\"" <<<"${ours[$clients,$records]}")" "$(grep "\"$what\"" <<<"$theirs")"
    done
  done
done
echo "kafka  resident: $(resident "$kafka")"
