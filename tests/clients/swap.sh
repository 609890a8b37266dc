#!/bin/bash
# Swapping an assignor is a change of configuration: swap.sh BUILD [-D NAME=VALUE]...
# Hosts the two example assignors of the SDK, built as a stranger builds them against the installed SDK, each named in
# a TOML file, and looks at what a real client is assigned. The -D go to tests/abi/installed.cmake where the plugins
# are not there yet or older than the host.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd) || exit 2
shift
installed=$build/tests/abi/installed
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

library() { echo "$installed/$1/build/plugins/$1/$1.so"; }
for name in round_robin round_robin_c; do
  if ! [ "$(library $name)" -nt "$build/bin/muster" ]; then
    cmake -D "BUILD=$build" -D "SCRATCH=$installed" "$@" -P "$here/../abi/installed.cmake" || exit 1
    break
  fi
done

# hosted ASSIGNORS WANT [LIBRARY]: the embedded configuration with another list of assignors, and one more plugin.
hosted() {
  sed "s|^group.consumer.assignors = .*|group.consumer.assignors = $1|" "$here/../../config/embedded.toml" >"$work/swap.toml"
  [ -z "${3:-}" ] || printf '\n[[plugin]]\nname = "mine"\npath = "%s"\n' "$3" >>"$work/swap.toml"
  echo "-- group.consumer.assignors = $1"
  "$here/../with-muster.sh" --build "$build" --config "$work/swap.toml" \
    --set group.consumer.min.heartbeat.interval.ms=500 --set group.consumer.heartbeat.interval.ms=500 \
    "$here/kit.sh" {} assignment "$2"
}

hosted '["uniform"]' 0,1/2,3 || exit
hosted '["mine/round-robin"]' 0,2/1,3 "$(library round_robin)" || exit
hosted '["mine/round-robin-c"]' 0,2/1,3 "$(library round_robin_c)"
