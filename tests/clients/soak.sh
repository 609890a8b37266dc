#!/bin/bash
# One scenario again and again against one server, so that what piles up shows: soak.sh HOST:PORT SCENARIO MINUTES
# Ends with PASS after the time, with FAIL at the first run that fails.
set -u
here=$(cd "$(dirname "$0")" && pwd)
runs=0
until [ $SECONDS -ge $(($3 * 60)) ]; do
  last=$("$here/kit.sh" "$1" "$2" 2>&1 | tee /dev/stderr | tail -1)
  case $last in
    PASS*) runs=$((runs + 1)) ;;
    SKIPPED*) exit 77 ;;
    *) echo "FAIL soak $2: run $((runs + 1)): $last"; exit 1 ;;
  esac
done
echo "PASS soak $2: $runs runs in $((SECONDS / 60)) minutes"
