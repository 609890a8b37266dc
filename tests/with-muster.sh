#!/bin/bash
# Runs a command against a Muster of its own: with-muster.sh [--build DIR] [--config FILE] [--set NAME=VALUE]... COMMAND ARG...
# In ARG, {} stands for the server's HOST:PORT. The server gets any free port and an empty data folder, must outlive
# the command and end by SIGTERM with 0; its log is shown where something failed. Ends with the command's status.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$here/../build/release config=$here/../config/embedded.toml sets=()
while [ $# -gt 0 ]; do
  case $1 in
    --build) build=$2; shift 2 ;;
    --config) config=$2; shift 2 ;;
    --set) sets+=(--set "$2"); shift 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || { sed -n 2p "$0" >&2; exit 2; }
work=$(mktemp -d)
"$build/bin/muster" serve "$config" --set listener.bind=127.0.0.1:0 --set admin.bind=127.0.0.1:0 \
  --set "host.data_dir=$work/data" "${sets[@]}" >"$work/log" 2>&1 &
server=$!
trap 'kill -9 $server 2>/dev/null; rm -rf "$work"' EXIT

# failed WHAT: says it with the end of the server's log.
failed() {
  tail -n "${LOG_LINES:-60}" "$work/log" | sed 's/^/  muster: /'
  echo "FAIL $1"
  exit 1
}

address=
for _ in $(seq 300); do
  address=$(sed -n 's/^listening on \([^ ]*:[0-9]*\).*$/\1/p' "$work/log" | head -1)
  [ -z "$address" ] || break
  kill -0 $server 2>/dev/null || break
  sleep 0.1
done
[ -n "$address" ] || failed "the server did not say where it listens"
"${@//\{\}/$address}"
status=$?
[ $status = 0 ] || [ $status = 77 ] || tail -n "${LOG_LINES:-60}" "$work/log" | sed 's/^/  muster: /'
kill -0 $server 2>/dev/null || failed "the server ended while the command ran"
kill $server
for _ in $(seq 200); do
  kill -0 $server 2>/dev/null || break
  sleep 0.1
done
kill -0 $server 2>/dev/null && failed "the server did not end within 20 s of SIGTERM"
wait $server || failed "the server ended with $? after SIGTERM"
exit $status
