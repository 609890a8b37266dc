#!/bin/bash
# Muster beside Apache Kafka 4.4.0 in one run: server CPU and latency of steady heartbeats, and the uniform assignor.
# Prints figures and ratios, asserts nothing. Needs Java 17 and Maven. BENCH_SECONDS (10) measured, after a warm-up that lets the JVM compile.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${MUSTER_BUILD:-$here/../../build/release}
seconds=${BENCH_SECONDS:-10}
connections=50 members=1000 groups=10
port=${BENCH_PORT:-21192}
work=$(mktemp -d)
muster= kafka=
finish() {
  [ -z "$muster" ] || kill "$muster" 2>/dev/null || true
  [ -z "$kafka" ] || "$here/../peers/kafka/kafka.sh" stop "$port" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT

figure() { sed -n "s/.*\"$2\":\([0-9.]*\).*/\1/p" <<<"$1"; }

# heartbeats NAME PORT PID IN_FLIGHT WARM: one JSON line.
heartbeats() { "$build/bin/heartbeat_load" 127.0.0.1 "$2" "$3" $connections $members $groups "$4" "$5" "$seconds"; }

"$build/bin/muster" serve "$here/../../config/kafka-defaults.toml" --set listener.bind=127.0.0.1:0 --set admin.bind=127.0.0.1:0 \
  --set "host.data_dir=$work/data" >"$work/muster.log" 2>&1 &
muster=$!
for _ in $(seq 100); do
  own=$(sed -n 's/^listening on .*:\([0-9]*\)$/\1/p' "$work/muster.log")
  [ -z "$own" ] || break
  sleep 0.1
done
echo "heartbeats of $members members in $groups groups over $connections connections"
declare -A ours
for flight in 1 16; do
  ours[$flight]=$(heartbeats muster "$own" "$muster" $flight 3)
  echo "muster ${ours[$flight]}"
done
echo "muster resident: $(awk '/VmRSS/ {print $2 / 1024 " MB"}' "/proc/$muster/status")"
kill "$muster"; wait "$muster" || true; muster=

"$here/../peers/kafka/kafka.sh" start "$port" >/dev/null
kafka=$(pgrep -f "kafka.Kafka .*-$port/server.properties" | head -1)
for flight in 1 16; do
  theirs=$(heartbeats kafka "$port" "$kafka" $flight 20)
  echo "kafka  $theirs"
  a=$(figure "${ours[$flight]}" server_cpu_us_per_heartbeat) b=$(figure "$theirs" server_cpu_us_per_heartbeat)
  p=$(figure "${ours[$flight]}" p99_us) q=$(figure "$theirs" p99_us)
  awk -v f=$flight -v a="$a" -v b="$b" -v p="$p" -v q="$q" 'BEGIN {
    printf "%d in flight: CPU a heartbeat 1/%.1f of Kafka (%.2f against %.2f us), p99 1/%.1f (%d against %d us)\n", f, b / a, a, b, q / p, p, q }'
done
"$here/../peers/kafka/kafka.sh" stop "$port" >/dev/null; kafka=

"$here/footprint.sh"

if [ -x "$build/bin/assignors_bench" ] && command -v python3 >/dev/null; then
  python3 "$here/assignors/compare.py" "$build/bin/assignors_bench" --filter 'uniform.*homogeneous.*members 10000 --topics 1000' || true
fi
