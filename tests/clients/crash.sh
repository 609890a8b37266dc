#!/bin/bash
# Kills a host again and again under the load of real clients: crash.sh BUILD KILLS [SEED]
# The host gets a data folder and a port of its own. Ends as kit.sh does; where it fails, the folder stays.
set -u
here=$(cd "$(dirname "$0")" && pwd)
build=$1 kills=$2 seed=${3:-$RANDOM}
work=$(mktemp -d)

# Below the ports that connections get by themselves: a client that asks for a port nobody listens on may meet itself.
port=
for _ in $(seq 100); do
  port=$((20000 + RANDOM % 10000))
  (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
done

end() {
  [ ! -f "$work/pid" ] || kill -9 "$(cat "$work/pid")" 2>/dev/null
}
trap end EXIT
export CRASH_COMMAND=$build/bin/muster$'\n'serve$'\n'$here/../../config/embedded.toml
export CRASH_WORK=$work CRASH_KILLS=$kills CRASH_SEED=$seed KIT_TIMEOUT=$((60 + kills * 20))
"$here/kit.sh" "127.0.0.1:$port" crash
status=$?
end
if [ $status = 0 ] || [ $status = 77 ]; then
  rm -rf "$work"
else
  grep -vE ' info |^(listening|admin) on ' "$work/host.log" | tail -n 40 | sed 's/^/  muster: /'
  echo "FAIL crash: seed $seed; the host's folder is $work"
fi
exit $status
