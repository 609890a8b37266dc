# The two servers that are compared; sourced by the benchmarks beside it. After start_muster: $muster, its process, and $own,
# its port; after start_kafka: $kafka and $port. $work is a folder that goes with the script, as both servers do.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=${MUSTER_BUILD:-$here/../../build/release}
port=${BENCH_PORT:-21192}
peer=$here/../peers/kafka/kafka.sh
work=$(mktemp -d)
muster= kafka= own=

stop_muster() {
  [ -z "$muster" ] || kill "$muster" 2>/dev/null || true
  [ -z "$muster" ] || wait "$muster" 2>/dev/null || true
  muster=
}
stop_kafka() {
  [ -z "$kafka" ] || "$peer" stop "$port" >/dev/null 2>&1 || true
  kafka=
}
finish() {
  stop_muster
  stop_kafka
  rm -rf "$work"
}
trap finish EXIT

# muster_command FOLDER PORT: sets `command`, a server with Kafka's defaults, but for what the peer has set too.
muster_command() {
  command=("$build/bin/muster" serve "$here/../../config/kafka-defaults.toml" --set "listener.bind=127.0.0.1:$2"
    --set admin.bind=127.0.0.1:0 --set "host.data_dir=$1" --set group.initial.rebalance.delay.ms=0)
}
# start_muster [ARGUMENT]...: with nothing stored yet.
start_muster() {
  rm -rf "$work/data"
  muster_command "$work/data" 0
  "${command[@]}" "$@" >"$work/muster.log" 2>&1 &
  muster=$!
  for _ in $(seq 100); do
    own=$(sed -n 's/^listening on .*:\([0-9]*\)$/\1/p' "$work/muster.log")
    [ -z "$own" ] || return 0
    sleep 0.1
  done
  cat "$work/muster.log" >&2
  return 1
}
start_kafka() {
  "$peer" start "$port" >/dev/null
  kafka=$(pgrep -f "kafka.Kafka .*-$port/server.properties" | head -1)
}
resident() { awk '/VmRSS/ {print $2 / 1024 " MB"}' "/proc/$1/status"; }
# figure JSON NAME
figure() { sed -n "s/.*\"$2\":\([0-9.]*\).*/\1/p" <<<"$1"; }
