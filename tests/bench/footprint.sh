#!/bin/bash
# Muster beside Apache Kafka 4.4.0 in one run: start to first answer, resident memory idle and under consumers and
# producers, and how long stored groups take to load. Prints figures, asserts nothing. Needs Java 17 and Maven.
# BENCH_MEMORY_SECONDS (60) of members and producers, BENCH_RECORDS (3000000) to load.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
build=${MUSTER_BUILD:-$here/../../build/release}
seconds=${BENCH_MEMORY_SECONDS:-60} records=${BENCH_RECORDS:-3000000}
connections=100 members=10000 groups=100
port=${BENCH_PORT:-21192}
peer=$here/../peers/kafka/kafka.sh
work=$(mktemp -d)
muster= kafka=
finish() {
  [ -z "$muster" ] || kill "$muster" 2>/dev/null || true
  [ -z "$kafka" ] || "$peer" stop "$port" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT

serve() { # FOLDER PORT: the command of a server with Kafka's defaults.
  command=("$build/bin/muster" serve "$here/../../config/kafka-defaults.toml" --set "listener.bind=127.0.0.1:$2"
    --set admin.bind=127.0.0.1:0 --set "host.data_dir=$1")
}
# Five times in turn, the middle one by time.
middle() { for _ in 1 2 3 4 5; do "$@" 2>>"$work/starts.log"; done | sort -t: -k2n | sed -n 3p; }
start() { "$build/bin/start_time" "$port" "$@"; }
start_in_new_folder() { rm -rf "$work/new"; start "${command[@]}"; }
resident() { awk '/VmRSS/ {print $2 / 1024 " MB"}' "/proc/$1/status"; }
grow() { "$build/bin/member_load" 127.0.0.1 "$2" "$1" $connections $members $groups "$seconds" | tail -1; }

serve "$work/new" "$port"
echo "muster starts, new folder      $(middle start_in_new_folder)"
serve "$work/data" 0
"${command[@]}" >"$work/muster.log" 2>&1 &
muster=$!
for _ in $(seq 100); do
  own=$(sed -n 's/^listening on .*:\([0-9]*\)$/\1/p' "$work/muster.log")
  [ -z "$own" ] || break
  sleep 0.1
done
sleep 2
echo "muster idle: $(resident "$muster")"
echo "muster $(grow "$muster" "$own")"
kill "$muster"; wait "$muster" || true; muster=
serve "$work/data" "$port"
echo "muster starts, existing folder $(middle start "${command[@]}")"

"$peer" start "$port" >/dev/null
kafka=$(pgrep -f "kafka.Kafka .*-$port/server.properties" | head -1)
properties=$(tr '\0' '\n' <"/proc/$kafka/cmdline" | tail -1)
sleep 2
echo "kafka  idle: $(resident "$kafka")"
echo "kafka  $(grow "$kafka" "$port")"
"$peer" stop "$port" >/dev/null; kafka=
echo "kafka  starts, existing folder $(start java -Xmx1g -cp "$("$peer" libs)/*" kafka.Kafka "$properties" 2>/dev/null)"

if [ -x "$build/bin/store_load" ]; then
  "$build/bin/store_load" fill "$work/store" "$records"
  for _ in 1 2 3; do "$build/bin/store_load" load "$work/store"; done
fi
