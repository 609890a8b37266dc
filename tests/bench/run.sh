#!/bin/bash
# Muster beside Apache Kafka 4.4.0 in one run: server CPU and latency of steady heartbeats, the log, start and memory, and the
# uniform assignor.
# Prints figures and ratios, asserts nothing. Needs Java 17 and Maven. BENCH_SECONDS (10) measured, after a warm-up that lets the JVM compile.
set -eu
. "$(dirname "$0")/servers.sh"
seconds=${BENCH_SECONDS:-10}
connections=50 members=1000 groups=10

# heartbeats NAME PORT PID IN_FLIGHT WARM: one JSON line.
heartbeats() { "$build/bin/heartbeat_load" 127.0.0.1 "$2" "$3" $connections $members $groups "$4" "$5" "$seconds"; }

start_muster
echo "heartbeats of $members members in $groups groups over $connections connections"
declare -A ours
for flight in 1 16; do
  ours[$flight]=$(heartbeats muster "$own" "$muster" $flight 3)
  echo "muster ${ours[$flight]}"
done
echo "muster resident: $(resident "$muster")"
stop_muster

start_kafka
for flight in 1 16; do
  theirs=$(heartbeats kafka "$port" "$kafka" $flight 20)
  echo "kafka  $theirs"
  a=$(figure "${ours[$flight]}" server_cpu_us_per_heartbeat) b=$(figure "$theirs" server_cpu_us_per_heartbeat)
  p=$(figure "${ours[$flight]}" p99_us) q=$(figure "$theirs" p99_us)
  awk -v f=$flight -v a="$a" -v b="$b" -v p="$p" -v q="$q" 'BEGIN {
    printf "%d in flight: CPU a heartbeat 1/%.1f of Kafka (%.2f against %.2f us), p99 1/%.1f (%d against %d us)\n", f, b / a, a, b, q / p, p, q }'
done
stop_kafka

"$here/log.sh"
"$here/footprint.sh"
"$here/groups.sh"

if [ -x "$build/bin/assignors_bench" ] && command -v python3 >/dev/null; then
  python3 "$here/assignors/compare.py" "$build/bin/assignors_bench" --filter 'uniform.*homogeneous.*members 10000 --topics 1000' || true
fi
