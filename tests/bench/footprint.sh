#!/bin/bash
# Muster beside Apache Kafka 4.4.0 in one run: start to first answer, resident memory idle and under consumers and
# producers, and how long stored groups take to load. Prints figures, asserts nothing. Needs Java 17 and Maven.
# BENCH_MEMORY_SECONDS (60) of members and producers, BENCH_RECORDS (3000000) to load.
set -eu
. "$(dirname "$0")/servers.sh"
seconds=${BENCH_MEMORY_SECONDS:-60} records=${BENCH_RECORDS:-3000000}
connections=100 members=10000 groups=100

# Five times in turn, the middle one by time.
middle() { for _ in 1 2 3 4 5; do "$@" 2>>"$work/starts.log"; done | sort -t: -k2n | sed -n 3p; }
start() { "$build/bin/start_time" "$port" "$@"; }
start_in_new_folder() { rm -rf "$work/new"; start "${command[@]}"; }
grow() { "$build/bin/member_load" 127.0.0.1 "$2" "$1" $connections $members $groups "$seconds" | tail -1; }

muster_command "$work/new" "$port"
echo "muster starts, new folder      $(middle start_in_new_folder)"
start_muster
sleep 2
echo "muster idle: $(resident "$muster")"
echo "muster $(grow "$muster" "$own")"
stop_muster
muster_command "$work/data" "$port"
echo "muster starts, existing folder $(middle start "${command[@]}")"

start_kafka
properties=$(tr '\0' '\n' <"/proc/$kafka/cmdline" | tail -1)
sleep 2
echo "kafka  idle: $(resident "$kafka")"
echo "kafka  $(grow "$kafka" "$port")"
stop_kafka
echo "kafka  starts, existing folder $(start java -Xmx1g -cp "$("$peer" libs)/*" kafka.Kafka "$properties" 2>/dev/null)"

if [ -x "$build/bin/store_load" ]; then
  "$build/bin/store_load" fill "$work/store" "$records"
  for _ in 1 2 3; do "$build/bin/store_load" load "$work/store"; done
fi
